"""What a site needs at an address of its own, and what keeps a site from being published.

    GRADNOTES_SITE_URL=https://name.github.io/gradnotes/ python -m gradnotes.site.publication host
    python -m gradnotes.site.publication examples

Each prints what stands in the way and ends with 1, or prints nothing and ends with 0. `make publish` asks for the host, runs every
example, asks for the examples and builds, so that the site shows runs of the very commit that it publishes.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

from gradnotes.fences import provenance
from gradnotes.site import runtime

# What the theme brings and no page asks for: its scripts (ours take their place), and its own picture for the browser's tab.
UNASKED = ("assets/javascripts", "assets/images/favicon.png")
# The terms of what is copied go where the copies go.
NOTICES = {
    "docs/LICENSE": "LICENSE.txt",
    "LICENSE": "LICENSE-MIT.txt",
    "snippets/LICENSE": "snippets/LICENSE.txt",
    "THIRD_PARTY.md": "THIRD_PARTY.txt",
}


def complete(site: Path, root: Path, address: str) -> None:
    """Add to the built `site` what its host and its visitors ask for beside the pages.

    `address` is where the site will be, with a slash at its end; empty for a build that stays on this machine. Such a build
    names no address at all: no site map, no robots.txt.
    """
    for name in UNASKED:
        shutil.rmtree(site / name) if (site / name).is_dir() else (site / name).unlink(missing_ok=True)
    given = [(root / name, site / target) for name, target in NOTICES.items()]
    given += [(path, site / "licenses" / path.name) for path in sorted((root / "licenses").glob("*.txt"))]
    for notice, target in given:
        if notice.is_file():  # another project may have its terms elsewhere
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(notice, target)
    (site / ".nojekyll").touch()  # GitHub Pages would leave out the pages of modules whose names begin with "_"
    if address:
        # Crawlers ask for it at the root of a host; below a path it serves whoever copies it there.
        (site / "robots.txt").write_text(
            f"User-agent: *\nAllow: /\n\nSitemap: {address}sitemap.xml\n", encoding="utf-8"
        )
    else:
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (site / name).unlink(missing_ok=True)


def host_refusals(root: Path, address: str) -> list[str]:
    """Return why a site cannot be served at `address`: it is not public, or Run lacks its Python. A line each, with the remedy."""
    refused = []
    if reason := _not_public(address):
        refused.append(
            f"GRADNOTES_SITE_URL {reason}: set it to where the site will be, https://name.github.io/gradnotes/"
        )
    folder = root / ".cache" / "runtime"
    if not (runtime.is_complete(folder) and any(folder.glob("numpy-*.whl"))):
        refused.append(f"{folder}: the Python that Run needs is missing: run `make runtime`")
    return refused


def _not_public(address: str) -> str:
    """What is wrong with an address as that of a public site; empty if nothing is."""
    if not address:
        return "is not set"
    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        return f"is {address!r}, which is no address of a web site"
    if parts.query or parts.fragment:
        return f"is {address!r}, which does not end with a path"
    try:
        local = not ipaddress.ip_address(host).is_global
    except ValueError:
        local = "." not in host or host.endswith((".local", ".localhost", ".internal", ".test"))
    return f"is {address!r}, which only this machine or this network knows" if local else ""


def main(arguments: list[str]) -> int:
    root = Path.cwd()
    if arguments == ["host"]:
        refused = host_refusals(root, os.environ.get("GRADNOTES_SITE_URL", ""))
    elif arguments == ["examples"]:
        refused = provenance.refusals(root)
    else:
        print("usage: python -m gradnotes.site.publication host|examples", file=sys.stderr)
        return 2
    for line in refused:
        print(f"not published: {line}", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
