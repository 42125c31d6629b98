"""Measure the compressed sizes of the files that a page loads before a program runs."""

from __future__ import annotations

import gzip
from pathlib import Path

from playwright.sync_api import Page


def weigh_page(page: Page, server: str, site: Path, address: str) -> dict[str, int]:
    """Open a page. Map each file of the site that the page requests to its compressed size in bytes."""
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(server + address, wait_until="networkidle")
    names = {url.removeprefix(server).split("?")[0] for url in urls if url.startswith(server)}
    return {name: compressed_size(site / name) for name in names if (site / name).is_file()}


def compressed_size(path: Path) -> int:
    """Return the size of a file in bytes, compressed by gzip at level 6."""
    return len(gzip.compress(path.read_bytes(), 6))
