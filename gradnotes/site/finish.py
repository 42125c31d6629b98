"""What is added to the site after its pages are built."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from pathlib import Path

from gradnotes.fences.book import Book
from gradnotes.site import notebooks, runtime, search_index

_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)
_POLICY = '<meta name="policy">'  # the theme writes it; it is replaced here


def finish(site: Path, book: Book, with_policy: bool = True) -> None:
    """Complete the built `site` of a project."""
    copy_snippets(book.snippets, site / "snippets")
    notebooks.write(book, site)
    search_index.write(site, book.kept)
    runtime.install(book.root / ".cache" / "runtime", site, book.root)
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if _POLICY in text:
            path.write_text(text.replace(_POLICY, policy(text) if with_policy else "", 1), encoding="utf-8")


def copy_snippets(snippets: Path, target: Path) -> None:
    """Put every snippet where its download link points."""
    for path in sorted(snippets.rglob("*.py")):
        copy = target / path.relative_to(snippets)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def policy(page: str) -> str:
    """The content-security policy of a page: our own files, and the inline scripts it has, by hash.

    `wasm-unsafe-eval` allows Pyodide to compile WebAssembly; it does not allow `eval`.
    """
    hashes = []
    for match in _SCRIPT.finditer(page):
        is_data = "application/json" in match["attributes"] or " src=" in match["attributes"]
        if match["text"].strip() and not is_data:
            digest = base64.b64encode(hashlib.sha256(match["text"].encode()).digest()).decode()
            hashes.append(f"'sha256-{digest}'")
    rules = [
        "default-src 'self'",
        " ".join(["script-src 'self' 'wasm-unsafe-eval'", *dict.fromkeys(hashes)]),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'
