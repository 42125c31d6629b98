"""Complete the site that MkDocs, or another generator, has built.

    python -m gradnotes.site.finish SITE

This adds the snippets to download, the search index, Python for Run, llms.txt, redirects, licenses and the files for the
host, and gives each page its content-security policy. The environment variable GRADNOTES_SITE_URL is the address of the
site; it is not set for a local build. Finishing a site twice changes nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import rcssmin
import rjsmin
from snippetcheck import snippet
from snippetcheck.settings import SettingsError, load_settings

from gradnotes.cache import BuildCache
from gradnotes.site import llms, publication, redirects, runtime, search_index
from gradnotes.site.content_security import MARK, policy
from gradnotes.site.copies import fill


def finish_site(site: Path, root: Path, address: str = "", is_served: bool = False) -> None:
    """Finish the built `site` of the project at `root`; `address` is empty if the site is not published.

    With `is_served`, pages get no policy, because a policy would forbid the script of the development server, and styles and
    scripts are not shrunk.

    Raises:
        SettingsError: the settings of the harness in pyproject.toml are malformed.
        RuntimeMissing: Node could not pack the archives for Run.
    """
    address = address.rstrip("/") + "/" if address else ""
    cache = BuildCache(root, "finish")
    copy_snippets(load_settings(root).snippets_dir, site / "snippets")
    search_index.write(site, cache, root / "docs")
    runtime.install(root / ".cache" / "runtime", site, root)
    publication.complete(site, root, address)
    (site / "llms.txt").write_text(llms.text(root, address), encoding="utf-8")
    redirects.write(root / "docs", site)
    if not is_served:
        shrink_assets(root / "docs" / "assets", site / "assets")
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if MARK in text:
            path.write_text(text.replace(MARK, "" if is_served else policy(text), 1), encoding="utf-8")
    cache.save()


def shrink_assets(sources: Path, target: Path) -> None:
    """Write the styles and scripts in `sources`, docs/assets, to `target` without comments and blanks: each page loads most of them."""
    for suffix, shrink in ((".css", rcssmin.cssmin), (".js", rjsmin.jsmin)):
        for source in sorted(sources.glob(f"*{suffix}")):
            text = shrink(source.read_text(encoding="utf-8"), keep_bang_comments=True)
            (target / source.name).write_text(text, encoding="utf-8")


def copy_snippets(snippets: Path, target: Path) -> None:
    """Make the folder `target`, to which download links lead, contain exactly the snippets below `snippets`."""
    fill(target, {path.relative_to(snippets).as_posix(): path for path in snippet.files(snippets) if path.is_file()})


def main(arguments: list[str] | None = None) -> int:
    """Finish the site that `arguments` name, by default those of the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Finish a built site: search index, downloads, policies.")
    parser.add_argument("site", type=Path, help="folder of the built pages")
    site = parser.parse_args(arguments).site
    if not (site / "index.html").is_file():
        print(f"finish: {site} is not a built site: run `make build`", file=sys.stderr)
        return 1
    try:
        finish_site(site, Path.cwd(), os.environ.get("GRADNOTES_SITE_URL", ""))
    except (SettingsError, runtime.RuntimeMissing) as error:
        print(f"finish: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
