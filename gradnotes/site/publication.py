"""Prepare a site for its host, and report what blocks its publication.

    GRADNOTES_SITE_URL=https://name.github.io/gradnotes/ python -m gradnotes.site.publication host
    python -m gradnotes.site.publication examples

Each command prints what blocks the publication and exits with 1, or prints nothing and exits with 0. `make publish`
checks the host, runs every example, checks the examples and builds, so that the site shows runs of the published
commit.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

from gradnotes.fences import table_status
from gradnotes.site import runtime

# Files of the theme that no page requests: its scripts, which those in docs/assets replace, and its favicon.
UNUSED_THEME_FILES = ("assets/javascripts", "assets/images/favicon.png")
# Licenses, each with its target in the site, in the folder that it covers.
NOTICES = {
    "docs/LICENSE": "LICENSE.txt",
    "LICENSE": "LICENSE-MIT.txt",
    "snippets/LICENSE": "snippets/LICENSE.txt",
    "THIRD_PARTY.md": "THIRD_PARTY.txt",
}


def complete(site: Path, root: Path, address: str) -> None:
    """Add licenses and files for the host to the built `site`, and remove unused files of the theme.

    `address` is the address of the site, with a slash at its end. It is empty for a local build, which has no site map
    and no robots.txt, since both contain the address.
    """
    for name in UNUSED_THEME_FILES:
        shutil.rmtree(site / name) if (site / name).is_dir() else (site / name).unlink(missing_ok=True)
    notices = [(root / name, site / target) for name, target in NOTICES.items()]
    notices += [(path, site / "licenses" / path.name) for path in sorted((root / "licenses").glob("*.txt"))]
    for notice, target in notices:
        if notice.is_file():  # a project in a test has no licenses
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(notice, target)
    (site / ".nojekyll").touch()  # otherwise GitHub Pages omits pages of modules whose names begin with "_"
    if address:
        # Crawlers request robots.txt at the root of a host. If the site is below a path, its owner can copy it there.
        (site / "robots.txt").write_text(
            f"User-agent: *\nAllow: /\n\nSitemap: {address}sitemap.xml\n", encoding="utf-8"
        )
    else:
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (site / name).unlink(missing_ok=True)


def host_blockers(root: Path, address: str) -> list[str]:
    """Return a line with a remedy for each reason why the site cannot be published at `address`."""
    blockers = []
    if reason := _address_problem(address):
        blockers.append(
            f"GRADNOTES_SITE_URL {reason}: set it to the address of the site, such as https://name.github.io/gradnotes/"
        )
    folder = root / ".cache" / "runtime"
    if not (runtime.is_complete(folder) and any(folder.glob("numpy-*.whl"))):
        blockers.append(f"{folder}: the Python that Run needs is missing: run `make runtime`")
    return blockers


def _address_problem(address: str) -> str:
    """Return the reason why an address is not the address of a public site, or an empty string."""
    if not address:
        return "is not set"
    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        return f"is {address!r}, which is not the address of a web site"
    if parts.query or parts.fragment:
        return f"is {address!r}, which does not end with a path"
    try:
        is_local = not ipaddress.ip_address(host).is_global
    except ValueError:
        is_local = "." not in host or host.endswith((".local", ".localhost", ".internal", ".test"))
    return f"is {address!r}, which only this machine or this network can reach" if is_local else ""


def main(arguments: list[str]) -> int:
    """Print the blockers that `arguments` select, ["host"] or ["examples"]. Return the exit code."""
    root = Path.cwd()
    if arguments == ["host"]:
        blockers = host_blockers(root, os.environ.get("GRADNOTES_SITE_URL", ""))
    elif arguments == ["examples"]:
        blockers = table_status.publication_blockers(root)
    else:
        print("usage: .venv/bin/python -m gradnotes.site.publication host|examples", file=sys.stderr)
        return 2
    for line in blockers:
        print(f"not published: {line}", file=sys.stderr)
    return 1 if blockers else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
