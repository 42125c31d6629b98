"""Report Chinese texts whose English text has changed since the translation, and renew the hashes of English texts."""

from __future__ import annotations

import difflib
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from gradnotes.notes import chinese
from gradnotes.problems import InputError, Problem
from gradnotes.translation import sources
from gradnotes.translation.blocks import parse_blocks
from gradnotes.translation.comparison import (
    COMMAND,
    TABLES,
    Page,
    flat,
    read_page,
    structure_problems,
    table_translations,
)
from gradnotes.translation.sources import FOLDER, HASHES


def read_hashes(root: Path) -> dict[str, list[str]]:
    """Map each Chinese page and entry of a table to the stored hashes of the English texts that it translates.

    Raises:
        InputError: the file is malformed.
    """
    return {name: str(hashes).split() for name, hashes in sources.read_table(root, HASHES).items()}


def outdated_blocks(page: Page, stored_hashes: list[str]) -> list[int]:
    """Return the indices of Chinese blocks whose English block was changed or removed since `stored_hashes`.

    Without stored hashes, return [].
    """
    if not stored_hashes:
        return []
    matches = _match_blocks(page, stored_hashes).get_matching_blocks()
    unchanged_indexes = {index for match in matches for index in range(match.a, match.a + match.size)}
    return [index for index in range(min(len(stored_hashes), len(page.chinese))) if index not in unchanged_indexes]


def _match_blocks(page: Page, stored_hashes: list[str]) -> difflib.SequenceMatcher[str]:
    """Return a matcher of the stored hashes, as its first sequence, and the hashes of the current English blocks."""
    return difflib.SequenceMatcher(None, stored_hashes, [block.digest for block in page.english], autojunk=False)


def page_freshness(root: Path, page: Page, stored_hashes: list[str]) -> Iterator[Problem]:
    """Yield a problem for each change of the English page since `stored_hashes` were written, or one if there are no hashes."""
    if not stored_hashes:
        remedy = f"compare the two pages, then run `{COMMAND} --renew {page.name}`"
        yield Problem(page.file, 1, "no stored hashes of the English page", remedy)
        return
    for tag, first, last, new_first, new_last in _match_blocks(page, stored_hashes).get_opcodes():
        if tag == "equal":
            continue
        line = page.chinese[min(first, len(page.chinese) - 1)].line if page.chinese else 1
        before = " / ".join(_find_in_history(root, page.name, digest) for digest in stored_hashes[first:last])
        after = " / ".join(flat(block.text) for block in page.english[new_first:new_last])
        location = page.english[min(new_first, len(page.english) - 1)].line if page.english else 1
        change = f"was: {before or '-'}\n    now: {after or '-'}"
        remedy = f"change the Chinese accordingly, then run `{COMMAND} --renew {page.name}`"
        yield Problem(
            page.file, line, f"the English page has changed (docs/{page.name}:{location})", f"{change}\n    {remedy}"
        )


def _find_in_history(root: Path, name: str, digest: str) -> str:
    """Return the English block with this hash from the last 40 commits of the page, or a note that they lack it."""
    git = ["git", "-C", str(root)]
    log = subprocess.run([*git, "log", "-n", "40", "--format=%H", "--", f"docs/{name}"], capture_output=True, text=True)
    for commit in log.stdout.split():
        old_page = subprocess.run([*git, "show", f"{commit}:docs/{name}"], capture_output=True, text=True)
        for block in parse_blocks(old_page.stdout, name) if old_page.returncode == 0 else ():
            if block.digest == digest:
                return flat(block.text)
    return f"(text {digest} is not in the history)"


def renew(root: Path, names: list[str]) -> None:
    """Store the hashes of the current English text of these pages and tables. Remove hashes of texts that are gone."""
    hashes = read_hashes(root)
    for name in names:
        if name in TABLES:
            old_keys = [key for key in hashes if key.startswith(f"{name} ")]
            for key in old_keys:
                del hashes[key]
            hashes |= {text.key: [text.digest] for text in table_translations(root, name)}
        else:
            hashes[name] = [block.digest for block in read_page(root, name).english]
    head = f"# The English that each Chinese text renders, as hashes; written by `{COMMAND} --renew`.\n"
    current_keys = {*sources.page_names(root)} | {
        text.key for name in TABLES for text in table_translations(root, name)
    }
    lines = [f'"{key}": "{" ".join(hashes[key])}"\n' for key in sorted(hashes) if key in current_keys]
    (root / FOLDER / HASHES).write_text(head + "".join(lines), encoding="utf-8")


def own_problems(root: Path, name: str) -> list[Problem]:
    """Return the problems of a Chinese page or table. Return [] if its English has changed since: the page says so itself.

    A file that cannot be read has no problems here: building its page reports it.
    """
    try:
        is_outdated = bool(freshness_problems(root, name, read_hashes(root)))
    except InputError:
        return []
    return [] if is_outdated else structure_problems(root, name)


def freshness_problems(root: Path, name: str, hashes: Mapping[str, list[str]]) -> list[Problem]:
    """Return a problem for each text of a page or a table whose English text has changed, or whose hash is missing."""
    if name not in TABLES and not (root / "docs" / name).is_file():
        return []  # `structure_problems` reports it
    if name not in TABLES:
        return list(page_freshness(root, read_page(root, name), hashes.get(name, [])))
    stored_hashes = {key: " ".join(values) for key, values in hashes.items()}
    problems = []
    for text, change in chinese.changes(table_translations(root, name), stored_hashes):
        remedy = (
            f"English: {flat(text.english)}\n    change the Chinese accordingly, then run `{COMMAND} --renew {name}`"
        )
        problems.append(Problem(text.page, text.line, f"{text.key.partition(' ')[2]} {change}", remedy))
    return problems
