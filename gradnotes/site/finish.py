"""What is added to the site after its pages are built, whatever built them.

    python -m gradnotes.site.finish SITE

adds the examples to download, the search index, Python for Run, llms.txt, terms of use and what a host asks for, and
puts into each page the policy that its scripts have. GRADNOTES_SITE_URL is where the site will be. To do it again changes nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from snippetcheck import snippet
from snippetcheck.settings import SettingsError, load_settings

from gradnotes.fences.build_cache import BuildCache
from gradnotes.site import llms, publication, redirects, runtime, search_index
from gradnotes.site.copies import fill
from gradnotes.site.policy import MARK, policy


def complete(site: Path, root: Path, address: str = "", served: bool = False) -> None:
    """Complete the built `site` of the project at `root`, which will be at `address`; empty if that is nobody's business.

    A server that adds a script of its own to each page says so: no page then has a policy.
    """
    address = address.rstrip("/") + "/" if address else ""
    kept = BuildCache(root, "finish")
    copy_snippets(load_settings(root).snippets_dir, site / "snippets")
    search_index.write(site, kept, root / "docs")
    runtime.install(root / ".cache" / "runtime", site, root)
    publication.complete(site, root, address)
    (site / "llms.txt").write_text(llms.text(root, address), encoding="utf-8")
    redirects.write(root / "docs", site)
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if MARK in text:
            path.write_text(text.replace(MARK, "" if served else policy(text), 1), encoding="utf-8")
    kept.save()


def copy_snippets(snippets: Path, target: Path) -> None:
    """Put every snippet, and no other file, where its download link points."""
    fill(target, {path.relative_to(snippets).as_posix(): path for path in snippet.files(snippets) if path.is_file()})


def main() -> int:
    parser = argparse.ArgumentParser(description="Add to a built site what is made from its pages.")
    parser.add_argument("site", type=Path, help="the folder into which its pages were built")
    site = parser.parse_args().site
    if not (site / "index.html").is_file():
        print(f"finish: {site} holds no built site: run `make build`", file=sys.stderr)
        return 1
    try:
        complete(site, Path.cwd(), os.environ.get("GRADNOTES_SITE_URL", ""))
    except (SettingsError, runtime.RuntimeMissing) as error:
        print(f"finish: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
