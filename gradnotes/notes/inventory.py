"""Read docs/inventory.yml: the ideas of the notes, each with its passages and the section that teaches it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gradnotes import inputs
from gradnotes.notes.passage import Passage
from gradnotes.problems import FenceError, close_match

INVENTORY = "inventory.yml"
_KEYS = {"id", "at", "en", "zh", "section", "runnable", "passages"}


@dataclass(frozen=True)
class Idea:
    """One idea of the notes: a sentence in English and in Chinese, and the passages that contain it."""

    id: str
    at: tuple[Passage, ...]
    en: str
    zh: str | None
    section: str | None  # `page.md#anchor`, below docs/
    line: int  # in the inventory
    # (passage, English sentence, Chinese sentence) of each passage with a different wording
    passages: tuple[tuple[Passage, str, str], ...] = ()

    def sentences(self, passage: Passage) -> tuple[str, str | None]:
        """Return the English sentence and the Chinese sentence (or None) of the idea for a passage."""
        return next(((en, zh) for at, en, zh in self.passages if at == passage), (self.en, self.zh))

    @property
    def source(self) -> str:
        """Return the location of the entry, such as "inventory.yml:12"."""
        return f"{INVENTORY}:{self.line}"


def load_ideas(inventory: Path) -> tuple[Idea, ...]:
    """Read all ideas, in the order of the file.

    Raises:
        InputError: the file cannot be read, or an entry is malformed.
    """
    return _parse_inventory(inputs.read_text(inventory))


@lru_cache(maxsize=4)
def _parse_inventory(text: str) -> tuple[Idea, ...]:
    entries = inputs.parse_yaml(text, INVENTORY) or []
    if not isinstance(entries, list):
        raise FenceError(
            f"{INVENTORY}:1: must be a list of ideas, got {type(entries).__name__}", "begin each with `- id:`"
        )
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.startswith("- ")]
    lines = lines if len(lines) == len(entries) else [1] * len(entries)  # lines in an unusual layout are unknown
    ideas = tuple(_build_idea(entry, line) for entry, line in zip(entries, lines, strict=True))
    line_by_id: dict[str, int] = {}
    for idea in ideas:
        if line_by_id.setdefault(idea.id, idea.line) != idea.line:
            message = f"{INVENTORY}:{idea.line}: id {idea.id!r} is also in line {line_by_id[idea.id]}"
            raise FenceError(message, "rename one of the two")
    return ideas


def _build_idea(entry: object, line: int) -> Idea:
    location = f"{INVENTORY}:{line}"
    if not isinstance(entry, dict):
        raise FenceError(f"{location}: an idea must be `key: value` lines, got {entry!r}", "begin it with `- id:`")
    name = entry.get("id")
    if unknown_keys := set(map(str, entry)) - _KEYS:
        key = min(unknown_keys)
        remedy = close_match(key, sorted(_KEYS))
        raise FenceError(f"{location}: unknown key {key!r} of {name}", remedy)
    if not isinstance(name, str) or not isinstance(entry.get("at"), list) or not isinstance(entry.get("en"), str):
        raise FenceError(f"{location}: entry {name} is incomplete", 'add `id`, `at: ["0:1-8"]` and `en`')
    at = tuple(Passage.read(passage, f"{location}: {name}") for passage in entry["at"])
    texts = (" ".join(str(entry[key]).split()) if key in entry else None for key in ("en", "zh", "section"))
    english, chinese, section = texts
    return Idea(
        name, at, english or "", chinese, section, line, _sentences_by_passage(entry, at, f"{location}: {name}")
    )


def _sentences_by_passage(
    entry: dict[str, Any], at: tuple[Passage, ...], location: str
) -> tuple[tuple[Passage, str, str], ...]:
    """Return (passage, English, Chinese) for each passage in `passages:`. These passages word the idea differently."""
    remedy = 'write `"0:1-8":`, as in `at`, and below it `en` and `zh`'
    passages = entry.get("passages", {})
    if not isinstance(passages, dict):
        raise FenceError(f"{location}: `passages` must map each passage to en and zh, got {passages!r}", remedy)
    sentences = []
    for key, texts in passages.items():
        passage = Passage.read(key, location)
        if passage not in at:
            raise FenceError(f"{location}: `passages` has {key!r}, which is not in `at`", "write it as in `at`")
        if (
            not isinstance(texts, dict)
            or texts.keys() != {"en", "zh"}
            or not all(isinstance(t, str) and t for t in texts.values())
        ):
            raise FenceError(
                f"{location}: {key!r} of `passages` must have the texts `en` and `zh`, got {texts!r}", remedy
            )
        sentences.append((passage, " ".join(texts["en"].split()), " ".join(texts["zh"].split())))
    return tuple(sentences)
