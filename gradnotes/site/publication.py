"""What a site needs at an address of its own, and what keeps a site from being published.

    GRADNOTES_SITE_URL=https://name.github.io/gradnotes/ python -m gradnotes.site.publication

says what stands in the way and ends with 1, or says nothing and ends with 0. `make publish` asks it before it builds.
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


def refusals(root: Path, address: str) -> list[str]:
    """Why the project at `root` cannot be published at `address` as it is: a line each, with the remedy; empty if it can.

    Its address has to be a public one, Run has to have its Python, and the evidence has to be fresh and green.
    """
    found = []
    if reason := _not_public(address):
        found.append(
            f"GRADNOTES_SITE_URL {reason}: set it to where the site will be, https://name.github.io/gradnotes/"
        )
    folder = root / ".cache" / "runtime"
    if not (all((folder / name).is_file() for name in runtime.FILES) and any(folder.glob("numpy-*.whl"))):
        found.append(f"{folder}: the Python that Run needs is not there: make runtime")
    return found + provenance.refusals(root)


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


def main() -> int:
    found = refusals(Path.cwd(), os.environ.get("GRADNOTES_SITE_URL", ""))
    for line in found:
        print(f"not published: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
