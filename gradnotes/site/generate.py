"""Generate the pages, notebooks and navigation that MkDocs reads.

    python -m gradnotes.site.generate [--no-strict]

The folder .cache/site/docs gets the pages of docs/ and i18n/zh, pages with the engine's source, a notebook for each
page with examples, and the scripts of the notes. The navigation is written to .cache/site/nav.yml, which mkdocs.yml
includes. Unchanged files are not touched. Problems of pages and lists are printed; the exit code is then 1, unless
--no-strict is set.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import yaml

from gradnotes import reading_order
from gradnotes.engine_source import pages
from gradnotes.fences import glossary
from gradnotes.notebooks import export
from gradnotes.notes import erratum, inventory
from gradnotes.problems import InputError, Problem
from gradnotes.project import Project
from gradnotes.reading_order import SUFFIXES
from gradnotes.site import chinese_pages, note_navigation, redirects, search_index
from gradnotes.site.copies import fill, update
from gradnotes.translation import sources

DOCS = ".cache/site/docs"
NAV = ".cache/site/nav.yml"
EXCLUDED_FILES = ("LICENSE", "*.yml", "evidence/*")  # files of docs/ that are not copied to the site
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def generate_sources(root: Path) -> list[str]:
    """Generate MkDocs' input for the project at `root`, and save the cache. Return problems, see `generate_for`."""
    project = Project(root, "generate")
    problems = generate_for(project)
    project.cache.save()
    return problems


def generate_for(project: Project) -> list[str]:
    """Generate MkDocs' input for a project. Return the problems of its pages and lists, as messages with remedies."""
    root, docs = project.root, project.docs
    order = project.memoize("nav", lambda: reading_order.nav(docs))
    engine = project.memoize("engine pages", lambda: pages.pages(root))
    scripts, errors = note_navigation.note_scripts(project)
    chinese = chinese_pages.pages(project)
    notebooks = export.export_notebooks(project, os.environ.get("GRADNOTES_SITE_URL", ""))
    copies = {name: docs / name for name in _site_files(docs)}
    texts = {name: text for name, text in (engine | notebooks | scripts | chinese).items() if name not in copies}
    fill(root / DOCS, copies, texts)
    nav = [*order.items, *([pages.nav(engine)] if engine else [])]
    in_chinese = {"extra": {"chinese": chinese_pages.template_values(project)}} if chinese else {}
    update(root / NAV, yaml.dump({"nav": nav, **in_chinese}, Dumper=_DUMPER, sort_keys=False, allow_unicode=True))
    fronts = map(project.front_matter, project.pages())
    problems = [
        *(problem for front in fronts for problem in front.problems),
        *order.problems,
        *redirects.problems(docs, [*texts, *copies]),
    ]
    problems += _misnamed_folders(docs)
    errors = [*_list_errors(project), *errors]
    return [*map(str, problems), *dict.fromkeys(f"{error.message}\n    {error.remedy}" for error in errors)]


def _list_errors(project: Project) -> Iterator[InputError]:
    """Yield the error of each malformed file that several pages use: glossary, errata, synonyms, translations, ..."""
    docs = project.docs
    lists: list[Callable[[], object]] = [
        lambda: glossary.read(docs / "glossary.yml"),
        partial(erratum.read_errata, project),
    ]
    lists += [lambda: search_index.read_synonyms(docs)]
    lists += [partial(sources.read_table, project.root, name) for name in sources.TABLES]
    lists += [lambda: inventory.load_ideas(docs / inventory.INVENTORY)] if (docs / inventory.INVENTORY).exists() else []
    for read in [*lists, lambda: project.settings]:
        try:
            read()
        except InputError as error:
            yield error


def _site_files(docs: Path) -> list[str]:
    """Return the files below docs/ that are copied to the site, as paths below docs/."""
    names = [path.relative_to(docs) for path in docs.rglob("*") if path.is_file()]
    return [name.as_posix() for name in names if not any(name.match(pattern) for pattern in EXCLUDED_FILES)]


def _misnamed_folders(docs: Path) -> list[Problem]:
    """Return a problem for each folder whose name ends like that of a page or a YAML file."""
    folders = [path for path in sorted(docs.rglob("*.*")) if path.is_dir() and path.suffix in (*SUFFIXES, ".yml")]
    message, remedy = "must be a file, got a folder", "rename the folder or remove it"
    return [Problem(path.relative_to(docs).as_posix(), 1, message, remedy) for path in folders]


def main() -> int:
    """Generate MkDocs' input for the project in the working directory. Return the exit code."""
    parser = argparse.ArgumentParser(description="Generate the pages, notebooks and navigation of the site.")
    parser.add_argument("--no-strict", action="store_true", help="exit with 0 even if there are problems")
    options = parser.parse_args()
    problems = generate_sources(Path.cwd())
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems and not options.no_strict else 0


if __name__ == "__main__":
    raise SystemExit(main())
