"""Check the Chinese edition, and renew the hashes of the English texts that it translates.

    python -m gradnotes.translation [PAGE ...]          lists the problems of the named pages and tables; default: all
    python -m gradnotes.translation --renew PAGE ...    stores the hashes of the current English texts of these pages

A page is a path below docs/, such as in-place/versions.md; docs/ or i18n/zh/ before it is ignored.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from snippetcheck.source import plural

from gradnotes.problems import InputError, close_match
from gradnotes.translation import comparison, freshness
from gradnotes.translation.sources import FOLDER


def main(arguments: list[str]) -> int:
    """List the problems, after renewing hashes if `--renew` is set, and return the exit code."""
    parser = argparse.ArgumentParser(prog=comparison.COMMAND, description="Check the Chinese edition.")
    parser.add_argument(
        "names", nargs="*", metavar="PAGE", help="in-place/versions.md, exercises.yml, ...; default: all"
    )
    parser.add_argument(
        "--renew", action="store_true", help="store the hashes of the current English text of these pages"
    )
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the project")
    options = parser.parse_args(arguments)
    known_names = comparison.names_with_chinese(options.root)
    names = [name.removeprefix(f"{FOLDER}/").removeprefix("docs/") for name in options.names] or known_names
    if unknown_names := sorted(set(names) - set(known_names)):
        name = unknown_names[0]
        choices = [] if (options.root / "docs" / name).is_file() else known_names
        remedy = close_match(name, choices, f"create {FOLDER}/{name} or correct the name")
        parser.error(f"no Chinese text {name!r}: {remedy}")
    try:
        if options.renew:
            freshness.renew(options.root, names)
        hashes = freshness.read_hashes(options.root)
        problems = [
            problem
            for name in names
            for problem in [
                *comparison.structure_problems(options.root, name),
                *freshness.freshness_problems(options.root, name, hashes),
            ]
        ]
    except InputError as error:
        parser.error(f"{error.message}\n    {error.remedy}")
    for problem in problems:
        print(problem)
    print(f"checked {plural(len(names), 'text')}: {plural(len(problems), 'problem')}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
