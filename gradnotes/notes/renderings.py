"""List Chinese texts of the notes whose English text has changed since the translation, and renew the stored hashes.

    python -m gradnotes.notes.renderings           lists the texts whose English text has changed
    python -m gradnotes.notes.renderings ID ...    stores the hashes of the current English texts of these entries
    python -m gradnotes.notes.renderings --all     stores the hashes of all entries

Run it in the root of the project.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from gradnotes import inputs
from gradnotes.notes import chinese, erratum, inventory
from gradnotes.notes.chinese import Translation
from gradnotes.notes.passage import NOTES
from gradnotes.problems import InputError

_HEAD = f"# The English text that each Chinese text renders, as a hash; written by `{chinese.RENEW} ID`.\n"
_ROW = re.compile(r"\| (?P<line>\d+)[^|]*\|")
_PARAGRAPH = re.compile(
    r'^(?P<chinese>[^\n]+)\n\{: lang="zh-Hans" \}\n\n(?P<english>(?:[^\n]+\n)+)|^- (?P<item>[^\n]*<span lang[^\n]*)$',
    re.MULTILINE,
)
_SPAN = re.compile(r'<span lang="zh-Hans">(?P<chinese>.*?)</span>')


def collect(docs: Path) -> list[Translation]:
    """Return the Chinese texts of corrections, ideas and the pages about the notes."""
    return [*_corrections(docs), *_ideas(docs), *_listings(docs), *_paragraphs(docs)]


def _corrections(docs: Path) -> Iterator[Translation]:
    for entry in erratum.load(docs / "errata").values():
        texts = [("note", entry.note, entry.zh.note), ("now", entry.now, entry.zh.now)]
        if entry.instead and entry.zh.instead:
            texts.append(("instead", entry.instead, entry.zh.instead))
        for field, english, text in texts:
            yield Translation(f"{entry.id} {field}", entry.source.rpartition(":")[0], entry.line, english, text)


def _ideas(docs: Path) -> Iterator[Translation]:
    for idea in inventory.load_ideas(docs / inventory.INVENTORY):
        if idea.zh:
            yield Translation(idea.id, inventory.INVENTORY, idea.line, idea.en, idea.zh)
        for passage, english, text in idea.passages:
            key = f"{idea.id} {passage.note}:{passage.first}"
            yield Translation(key, inventory.INVENTORY, idea.line, english, text)


def _listings(docs: Path) -> Iterator[Translation]:
    """Yield the bilingual cells of the tables at the end of the pages about a note."""
    for number, name in NOTES.items():
        page = f"notes/{name}.md"
        lines = inputs.read_text(docs / page, page).splitlines() if inputs.is_file(docs / page) else []
        for line_number, line in enumerate(lines, 1):
            if not (row := _ROW.match(line)):
                continue
            for cell in line.split(" | "):
                english = _SPAN.sub("", cell).strip(" |")
                if (span := _SPAN.search(cell)) and english:
                    yield Translation(f"{number}:{row['line']} row", page, line_number, english, span["chinese"])


def _paragraphs(docs: Path) -> Iterator[Translation]:
    """Yield the Chinese paragraphs before an English paragraph, and the bilingual list items.

    The pages are those about the notes, notes/index.md and what-has-changed.md.
    """
    for page in (*(f"notes/{name}.md" for name in ("index", *NOTES.values())), "what-has-changed.md"):
        text = inputs.read_text(docs / page, page) if inputs.is_file(docs / page) else ""
        for number, match in enumerate(_PARAGRAPH.finditer(text), 1):
            line = text.count("\n", 0, match.start()) + 1
            english, in_chinese = match["english"], match["chinese"]
            if item := match["item"]:
                english, in_chinese = _SPAN.sub("", item), " ".join(_SPAN.findall(item))
            yield Translation(f"{page} {number}", page, line, english, in_chinese)


def read_hashes(docs: Path) -> dict[str, str]:
    """Map the key of each Chinese text to the stored hash of the English text that it translates; {} without the file."""
    path = docs / chinese.HASHES
    hashes = inputs.parse_yaml(inputs.read_text(path), chinese.HASHES) if inputs.is_file(path) else None
    return {str(key): str(digest) for key, digest in (hashes or {}).items()}


def renew(docs: Path, ids: list[str] | None) -> None:
    """Store the hashes of the current English texts of the entries `ids`, or of all entries if `ids` is None.

    Hashes of texts that no longer exist are removed.
    """
    hashes, new_hashes = read_hashes(docs), {}
    for text in collect(docs):
        if ids is None or text.entry_id in ids:
            new_hashes[text.key] = text.digest
        elif text.key in hashes:
            new_hashes[text.key] = hashes[text.key]
    lines = [f'"{key}": "{digest}"\n' for key, digest in new_hashes.items()]
    (docs / chinese.HASHES).write_text(_HEAD + "".join(lines), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Renew the hashes of the entries in `arguments`, if any, then list the outdated texts. Return the exit code."""
    parser = argparse.ArgumentParser(description="Compare the Chinese texts of the notes with their English texts.")
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="id of an entry whose Chinese agrees with its current English"
    )
    parser.add_argument("--all", action="store_true", help="store the hashes of every entry")
    options = parser.parse_args(arguments)
    docs = Path.cwd() / "docs"
    try:
        if options.all or options.ids:
            known_ids = {text.entry_id for text in collect(docs)} | {key.partition(" ")[0] for key in read_hashes(docs)}
            if unknown_ids := sorted(set(options.ids) - known_ids):
                parser.error(f"no entry {unknown_ids[0]!r}: name an id of docs/errata or docs/inventory.yml")
            renew(docs, None if options.all else options.ids)
        problems = list(chinese.freshness_problems(collect(docs), read_hashes(docs)))
    except InputError as error:
        parser.error(f"{error.message}\n    {error.remedy}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
