"""What is written before the site is built: all that a generator of sites reads.

    python -m gradnotes.site.generate [--no-strict]

fills .cache/site/docs with the pages of docs/, those of the engine's source, a notebook for each page with examples and the ways
through the notes, and writes their order to .cache/site/nav.yml, which mkdocs.yml takes in. A file that is as it was is not touched.
It ends with 1 where a page is missing or in no list; with --no-strict it only says so.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import yaml

from gradnotes import reading_order
from gradnotes.fences.project import Project
from gradnotes.site import engine_pages, note_ways, notebooks

DOCS = ".cache/site/docs"
NAV = ".cache/site/nav.yml"
NOT_SHOWN = ("LICENSE", "*.yml", "evidence/*")  # what pages are made from


def write(root: Path) -> list[str]:
    """Write what a generator reads of the project at `root`; return what is wrong with its lists of pages, with remedies."""
    order = reading_order.nav(root / "docs")
    engine = engine_pages.pages(root)
    project = Project(root, "generate")
    made = {name: text.encode() for name, text in (engine | notebooks.made(project) | note_ways.made(project)).items()}
    project.cache.save()
    for path in (root / "docs").rglob("*"):
        name = path.relative_to(root / "docs")
        if path.is_file() and not any(name.match(pattern) for pattern in NOT_SHOWN):
            made[name.as_posix()] = path.read_bytes()
    _fill(root / DOCS, made)
    nav = [*order.items, *([engine_pages.nav(engine)] if engine else [])]
    _update(root / NAV, yaml.safe_dump({"nav": nav}, sort_keys=False, allow_unicode=True).encode())
    return order.problems


def _fill(folder: Path, files: dict[str, bytes]) -> None:
    """Let `folder` hold these files and no others."""
    for name, content in files.items():
        _update(folder / name, content)
    for path in sorted(folder.rglob("*"), reverse=True):  # a folder after what lies in it
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(folder).as_posix() not in files:
            path.unlink()


def _update(path: Path, content: bytes) -> None:
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write what a generator of sites reads.")
    parser.add_argument("--no-strict", action="store_true", help="only say what is wrong with the lists of pages")
    options = parser.parse_args()
    problems = write(Path.cwd())
    for problem in problems:
        print(f"generate: {problem}", file=sys.stderr)
    return 1 if problems and not options.no_strict else 0


if __name__ == "__main__":
    raise SystemExit(main())
