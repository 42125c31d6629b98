"""Pack the built site as a zip that works without a server.

    python -m gradnotes.site.offline SITE TARGET

The pages need no change, because all addresses in the site are relative and the search index is a script. Python for
the browser works only from a server and is omitted.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest date of a zip, so that each build has the same bytes
OMITTED = ("runtime/", "sitemap.xml", "robots.txt", ".nojekyll", "404.html")


def write(site: Path, target: Path) -> int:
    """Write the zip file `target`, and return the number of files in it.

    Raises:
        FileNotFoundError: `site` is not a built site.
    """
    if not (site / "index.html").is_file():
        raise FileNotFoundError(f"{site} is not a built site: run `make build`")
    count = 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site).as_posix()
            if not path.is_file() or name.startswith(OMITTED) or name.endswith(".map"):
                continue
            entry = zipfile.ZipInfo(f"gradnotes/{name}", _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
            count += 1
    return count


def main(site: str, target: str) -> int:
    """Pack a site; return the exit code."""
    try:
        count = write(Path(site), Path(target))
    except OSError as error:
        print(f"offline: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {count} files; unpack it and open gradnotes/index.html")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:3]))
