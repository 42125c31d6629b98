"""What is written before the site is built: all that a generator of sites reads.

    python -m gradnotes.site.generate [--no-strict]

fills .cache/site/docs with the pages of docs/, those of the engine's source, a notebook for each page with examples and the ways
through the notes, and writes their order to .cache/site/nav.yml, which mkdocs.yml takes in. A file that is as it was is not touched.
It ends with 1 where a page is missing or in no list; with --no-strict it only says so.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from gradnotes import reading_order
from gradnotes.fences import glossary, notes
from gradnotes.fences.project import Project
from gradnotes.problems import InputError, Problem
from gradnotes.reading_order import SUFFIXES
from gradnotes.site import engine_pages, note_ways, notebooks, redirects, search_index
from gradnotes.site.copies import fill, update

DOCS = ".cache/site/docs"
NAV = ".cache/site/nav.yml"
NOT_SHOWN = ("LICENSE", "*.yml", "evidence/*")  # what pages are made from
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def write(root: Path) -> list[str]:
    """Write what a generator reads of the project at `root`; return what is wrong with its pages and their lists."""
    project = Project(root, "generate")
    problems = write_for(project)
    project.cache.save()
    return problems


def write_for(project: Project) -> list[str]:
    """Write what a generator reads of this project; return what is wrong with its pages and their lists, with remedies."""
    root, docs = project.root, project.docs
    order = project.once("nav", lambda: reading_order.nav(docs))
    engine = project.once("engine pages", lambda: engine_pages.pages(root))
    ways, faults = note_ways.made(project)
    copies = {name: docs / name for name in _names(docs)}
    texts = {name: text for name, text in (engine | notebooks.made(project) | ways).items() if name not in copies}
    fill(root / DOCS, copies, texts)
    nav = [*order.items, *([engine_pages.nav(engine)] if engine else [])]
    update(root / NAV, yaml.dump({"nav": nav}, Dumper=_DUMPER, sort_keys=False, allow_unicode=True))
    fronts = map(project.front_matter, project.pages())
    problems = [
        *(problem for front in fronts for problem in front.problems),
        *order.problems,
        *redirects.problems(docs, [*texts, *copies]),
    ]
    problems += _folders(docs)
    faults = [*_faults_of_lists(project), *faults]
    return [*map(str, problems), *dict.fromkeys(f"{error.message}\n    {error.remedy}" for error in faults)]


def _faults_of_lists(project: Project) -> Iterator[InputError]:
    """What keeps a list that pages share from being read."""
    docs = project.docs
    lists: list[Callable[[], object]] = [lambda: glossary.read(docs / "glossary.yml"), project.errata_list]
    lists += [lambda: search_index.read_synonyms(docs)]
    lists += [lambda: notes.ideas(docs / notes.FILE)] if (docs / notes.FILE).exists() else []
    for read in [*lists, lambda: project.settings]:
        try:
            read()
        except InputError as error:
            yield error


def _names(docs: Path) -> list[str]:
    """The files below docs/ that are shown or downloaded."""
    names = [path.relative_to(docs) for path in docs.rglob("*") if path.is_file()]
    return [name.as_posix() for name in names if not any(name.match(pattern) for pattern in NOT_SHOWN)]


def _folders(docs: Path) -> list[Problem]:
    """A problem for each folder that has the name of a page or of a list."""
    folders = [path for path in sorted(docs.rglob("*.*")) if path.is_dir() and path.suffix in (*SUFFIXES, ".yml")]
    message, remedy = "a folder has the name of a file", "rename the folder or remove it"
    return [Problem(path.relative_to(docs).as_posix(), 1, message, remedy) for path in folders]


def main() -> int:
    parser = argparse.ArgumentParser(description="Write what a generator of sites reads.")
    parser.add_argument("--no-strict", action="store_true", help="only say what is wrong with the lists of pages")
    options = parser.parse_args()
    problems = write(Path.cwd())
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems and not options.no_strict else 0


if __name__ == "__main__":
    raise SystemExit(main())
