"""The Chinese texts of a correction, and a check of Chinese beside the English that it renders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gradnotes.fences.problems import FenceError, close_match

TIERS = {  # errata.TIERS
    "silent": "结果错误却不报错",
    "breaks": "已无法运行，或会给出警告",
    "limited": "只在部分情况下成立",
}
_REQUIRED = ("note", "now")
_KEYS = (*_REQUIRED, "instead")
_REMEDY = "write `zh:` with `note` and `now` under it"

_HAN = r"\u3400-\u9fff"
_CODE = re.compile(r"`[^`]+`")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?")
_TYPOGRAPHY = {
    rf"[{_HAN}](?:[A-Za-z0-9`$]|[+-]\d)|[A-Za-z0-9`$%+][{_HAN}]": "put a blank between Chinese and Latin letters, digits or code",
    rf"[{_HAN}`] ?[,;:?!]|[{_HAN}]\.|[{_HAN}][()]|[()][{_HAN}]": "use the full-width mark",
    r' [，。、；：？！（）“”‘’]|[，。、；：？！（）“”‘’] |["\']': "no blank beside a full-width mark, and quotes are “ ”",
    rf"[{_HAN}] [{_HAN}]": "no blank between Chinese characters",
}
_TRANSLATED = re.compile(
    "的话|对于|进行|将其|该张量|使得|之一|您|结点|就地|海森|雅克比"
)  # the style guide has better words


@dataclass(frozen=True)
class Chinese:
    """A correction in Chinese: what the note says, what happens now, and the line to write if words stand in it."""

    note: str
    now: str
    instead: str | None


def read(fields: Mapping[str, Any], where: str) -> Chinese:
    """Read `zh` of a correction with these fields; `where`, its file and line, begins the message of a FenceError."""
    given = fields.get("zh")
    if not isinstance(given, dict):
        raise FenceError(f"{where}: {fields['id']} has no Chinese", _REMEDY)
    for key in given:
        if key not in _KEYS:
            remedy = close_match(str(key), _KEYS, f"use {', '.join(_KEYS)}")
            raise FenceError(f"{where}: unknown key {key!r} in `zh` of {fields['id']}", remedy)
    needed = (*_REQUIRED, "instead") if has_words(fields.get("instead")) else _REQUIRED
    for key in needed:
        if not isinstance(given.get(key), str) or not given[key].strip():
            raise FenceError(
                f"{where}: {fields['id']} has no Chinese {key!r}", f"write it as text below `zh`; {_REMEDY}"
            )
    if "instead" in given and "instead" not in needed:
        raise FenceError(f"{where}: `instead` of {fields['id']} has no words", "remove it from `zh`: code is the same")
    note, now = (" ".join(given[key].split()) for key in _REQUIRED)
    return Chinese(note, now, given.get("instead"))


def has_words(instead: str | None) -> bool:
    """Whether words stand in a line of code, that is, a comment."""
    return bool(instead and "# " in instead)


def problems(chinese: str, english: str | None = None) -> Iterator[str]:
    """Yield what is wrong with a Chinese text: spaces, marks, words, and code or numbers that its English has not."""
    for pattern, remedy in _TYPOGRAPHY.items():
        for match in re.finditer(pattern, _CODE.sub("`x`", chinese)):
            start = max(match.start() - 6, 0)
            yield f"{match.string[start : match.end() + 6]!r}: {remedy}"
    for match in _TRANSLATED.finditer(chinese):
        yield f"{match[0]!r}: translated, or not the term of this site"
    if english is None:
        return
    code, of_english = (set(_CODE.findall(text)) for text in (chinese, english))
    if code != of_english:
        yield f"code differs from the English: {', '.join(sorted(code ^ of_english))}"
    numbers, of_english_numbers = (Counter(_NUMBER.findall(_CODE.sub("", text))) for text in (chinese, english))
    if numbers != of_english_numbers:
        yield f"numbers are {sorted(numbers.elements())}, in English {sorted(of_english_numbers.elements())}"
