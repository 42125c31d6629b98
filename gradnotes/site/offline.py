"""The built site as one zip that is read without a server.

    python -m gradnotes.site.offline SITE TARGET

Every address in the site is relative, and its search index is a script, so the pages work from a
folder as they are. What works only from a server, the Python runtime, is left out.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold: the same bytes at every build
LEFT_OUT = ("runtime/", "sitemap.xml", "robots.txt", ".nojekyll", "404.html")


def write(site: Path, target: Path) -> int:
    """Write `target`; return how many files it holds. Raises FileNotFoundError without a built site."""
    if not (site / "index.html").is_file():
        raise FileNotFoundError(f"{site} holds no built site: run `make build`")
    count = 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site).as_posix()
            if not path.is_file() or name.startswith(LEFT_OUT) or name.endswith(".map"):
                continue
            entry = zipfile.ZipInfo(f"gradnotes/{name}", _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
            count += 1
    return count


def main(site: str, target: str) -> int:
    try:
        count = write(Path(site), Path(target))
    except OSError as error:
        print(f"offline: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {count} files; unpack it and open gradnotes/index.html")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:3]))
