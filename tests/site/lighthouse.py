"""Build the site, measure up to four of its pages with Lighthouse (mobile preset) and write docs/evidence/lighthouse.json.

    python tests/site/lighthouse.py [PAGE ...]      # measures only these pages, such as index.html, and writes no file

The site is built for the address of the local server, because Lighthouse reports relative links to the other language as a mistake.
Pages are served compressed, as by most hosts. npx fetches Lighthouse in the version below.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gradnotes.evidence.provenance import describe_sources

ROOT = Path(__file__).resolve().parents[2]
SITE = ["gradnotes", "overrides", "docs/assets", "mkdocs.yml"]  # sources that affect how a page loads, besides its text
LIGHTHOUSE = "lighthouse@12.8.2"
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
TEXT = (".html", ".css", ".js", ".json", ".svg", ".xml", ".txt")


class CompressingHandler(http.server.SimpleHTTPRequestHandler):
    """Serves text compressed, and lets browsers cache all files."""

    def log_message(self, format: str, *args: object) -> None:
        """Log no requests."""

    def do_GET(self) -> None:
        """Send a file of the site, or the status 404."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if path.suffix in TEXT:
            body = gzip.compress(body, 6, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def serve(site: Path) -> Iterator[str]:
    """Serve a folder and yield its address, which ends in a slash."""
    handler = functools.partial(CompressingHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


RUNS = 3  # per page; measurements vary, so Lighthouse recommends the median


def largest_page(site: Path) -> str:
    """Return the path of the largest HTML file of a chapter, relative to the site."""
    chapters = [path for path in site.glob("*/*.html") if path.parent.name not in ("engine", "labs", "runtime")]
    return max(chapters, key=lambda path: path.stat().st_size).relative_to(site).as_posix()


def page_with_viewer(site: Path) -> str | None:
    """Return the path of the first page in a folder with a step viewer, relative to the site, or None."""
    paths = (p for p in sorted(site.glob("*/*.html")) if '<figure class="steps"' in p.read_text(encoding="utf-8"))
    return next((path.relative_to(site).as_posix() for path in paths), None)


def notebook_page(site: Path) -> str | None:
    """Return the path of the first page of a lab, relative to the site, or None."""
    paths = (path for path in sorted((site / "labs").glob("*.html")) if path.name != "index.html")
    return next((path.relative_to(site).as_posix() for path in paths), None)


def measure(url: str) -> dict[str, Any]:
    """Measure a page once. Return its scores from 0 to 100, its layout shift, two times in ms, and its size in kilobytes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "report.json")
        command = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", f"--output-path={out}"]
        environment = {**os.environ, "CHROME_PATH": "/usr/bin/chromium"}
        subprocess.run(
            [*command, f"--chrome-flags={FLAGS}"], check=True, timeout=300, env=environment, capture_output=True
        )
        report = json.loads(out.read_text(encoding="utf-8"))
    scores = {name: round((part["score"] or 0) * 100) for name, part in report["categories"].items()}
    audits = report["audits"]
    return {
        **{name.replace("-", "_"): score for name, score in scores.items()},
        "cls": round(audits["cumulative-layout-shift"]["numericValue"], 3),
        "lcp_ms": round(audits["largest-contentful-paint"]["numericValue"]),
        "tbt_ms": round(audits["total-blocking-time"]["numericValue"]),
        "kilobytes": round(audits["total-byte-weight"]["numericValue"] / 1000),
    }


def build(base: str) -> None:
    """Build the site for the address `base`."""
    environment = {**os.environ, "GRADNOTES_SITE_URL": base}
    subprocess.run(["make", "build"], cwd=ROOT, env=environment, check=True)


def main(addresses: list[str]) -> int:
    """Measure pages with Lighthouse; without `addresses`, measure four and write docs/evidence/lighthouse.json."""
    site = ROOT / "site"
    provenance = describe_sources(ROOT, "make lighthouse", {"site": SITE, "judge": ["tests/site/lighthouse.py"]})
    rows = []
    with serve(site) as base:
        build(base)
        candidates = ("index.html", largest_page(site), page_with_viewer(site), notebook_page(site))
        addresses_to_measure = addresses or [page for page in candidates if page]
        for address in dict.fromkeys(addresses_to_measure):
            scores_by_run = sorted(
                (measure(base + address) for _ in range(RUNS)), key=lambda scores: scores["performance"]
            )
            row = {"page": address, **scores_by_run[RUNS // 2]}
            print(json.dumps(row))
            rows.append(row)
    if not addresses:
        target = ROOT / "docs" / "evidence" / "lighthouse.json"
        values = {"provenance": provenance, "lighthouse": LIGHTHOUSE, "rows": rows}
        target.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
