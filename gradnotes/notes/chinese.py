"""Parse the Chinese texts of a correction, and compare Chinese texts with their English originals."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gradnotes.problems import FenceError, Problem, close_match

TIERS = {  # the Chinese of erratum.TIERS
    "silent": "结果错误却不报错",
    "breaks": "已无法运行，或会给出警告",
    "limited": "只在部分情况下成立",
}
_REQUIRED = ("note", "now")
_KEYS = (*_REQUIRED, "instead")
_REMEDY = "write `zh:` with `note` and `now` under it"
HASHES = "notes/chinese.yml"  # below docs/; has a hash of the English text that each Chinese text translates
RENEW = ".venv/bin/python -m gradnotes.notes.renderings"

_HAN = r"\u3400-\u9fff"
_CODE = re.compile(r"`[^`]+`")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?")
_TYPOGRAPHY = {
    rf"[{_HAN}](?:[A-Za-z0-9`$]|[+-]\d)|[A-Za-z0-9`$%+][{_HAN}]": "put a blank between Chinese and Latin letters, digits or code",
    rf"[{_HAN}`] ?[,;:?!]|[{_HAN}]\.|[{_HAN}][()]|[()][{_HAN}]": "use the full-width mark",
    r' [，。、；：？！（）“”‘’]|[，。、；：？！（）“”‘’] |["\']': "no blank beside a full-width mark, and quotes are “ ”",
    rf"[{_HAN}] [{_HAN}]": "no blank between Chinese characters",
}
_DISCOURAGED = re.compile(
    "的话|对于|进行|将其|该张量|使得|(?<!分)之一|您|结点|就地|(?<!又译)海森|雅克比"
)  # words for which the style guide has better ones


@dataclass(frozen=True)
class Chinese:
    """The Chinese texts of a correction.

    `note` is the claim of the note, `now` the present behaviour, `instead` the new line of code if it has a comment.
    """

    note: str
    now: str
    instead: str | None


@dataclass(frozen=True)
class Translation:
    """A Chinese text and the English text that it translates."""

    key: str  # in HASHES: the id of the entry, and its field if the entry has several texts
    page: str  # the path of its file below docs/
    line: int
    english: str
    chinese: str

    @property
    def entry_id(self) -> str:
        """Return the id of the entry, the argument of `gradnotes.notes.renderings` that renews the hash."""
        return self.key.partition(" ")[0]

    @property
    def digest(self) -> str:
        """Return the hash of the English text, ignoring line breaks."""
        return text_hash(self.english)


def text_hash(text: str) -> str:
    """Return 8 hexadecimal digits that change with the words of a text, but not with its line breaks and spaces."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


def read(fields: Mapping[str, Any], location: str) -> Chinese:
    """Return the Chinese texts of a correction, from its key `zh`.

    Args:
        fields: the fields of the correction
        location: its file and line, for messages

    Raises:
        FenceError: a text is missing, or a key is unknown or superfluous.
    """
    texts = fields.get("zh")
    if not isinstance(texts, dict):
        raise FenceError(f"{location}: {fields['id']} needs `zh:` with `note` and `now`", _REMEDY)
    for key in texts:
        if key not in _KEYS:
            remedy = close_match(str(key), _KEYS)
            raise FenceError(f"{location}: unknown key {key!r} in `zh` of {fields['id']}", remedy)
    required_keys = (*_REQUIRED, "instead") if has_comment(fields.get("instead")) else _REQUIRED
    for key in required_keys:
        if not isinstance(texts.get(key), str) or not texts[key].strip():
            raise FenceError(
                f"{location}: {fields['id']} has no Chinese {key!r}", f"write it as text below `zh`; {_REMEDY}"
            )
    if "instead" in texts and "instead" not in required_keys:
        raise FenceError(
            f"{location}: `instead` of {fields['id']} has no comment to translate",
            "remove it from `zh`: code is the same",
        )
    claim, behaviour = (" ".join(texts[key].split()) for key in _REQUIRED)
    return Chinese(claim, behaviour, texts.get("instead"))


def has_comment(instead: str | None) -> bool:
    """Return whether a line of code has a comment."""
    return bool(instead and "# " in instead)


def problems(chinese: str, english: str | None = None) -> Iterator[str]:
    """Yield a message for each mistake in a Chinese text: spacing, punctuation, words that the style guide avoids.

    If `english` is set, also compare the code and the numbers in both texts.
    """
    for pattern, remedy in _TYPOGRAPHY.items():
        for match in re.finditer(pattern, _CODE.sub("`x`", chinese)):
            start = max(match.start() - 6, 0)
            yield f"{match.string[start : match.end() + 6]!r}: {remedy}"
    for match in _DISCOURAGED.finditer(chinese):
        yield f"{match[0]!r}: the style guide avoids this word"
    if english is None:
        return
    code, english_code = (set(_CODE.findall(text)) for text in (chinese, english))
    if code != english_code:
        yield f"code differs from the English: {', '.join(sorted(code ^ english_code))}"
    numbers, english_numbers = (Counter(_NUMBER.findall(_CODE.sub("", text))) for text in (chinese, english))
    if numbers != english_numbers:
        yield f"numbers are {sorted(numbers.elements())}, in English {sorted(english_numbers.elements())}"


def changes(translations: Iterable[Translation], hashes: Mapping[str, str]) -> Iterator[tuple[Translation, str]]:
    """Yield (translation, message) for each Chinese text whose English text has changed, or whose hash is missing."""
    for text in translations:
        stored_hash = hashes.get(text.key)
        if stored_hash != text.digest:
            yield (
                text,
                "has no stored hash of its English text"
                if stored_hash is None
                else "translates an English text that has changed",
            )


def freshness_problems(translations: Iterable[Translation], hashes: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each Chinese text with a missing or outdated hash, and for each hash without a text.

    Args:
        translations: the Chinese texts with the current English texts
        hashes: key -> hash of the English text that was translated
    """
    texts = list(translations)
    for text, change in changes(texts, hashes):
        remedy = f"make it say the same as the English, then run `{RENEW} {text.entry_id}`"
        texts_of_both = f"English: {' '.join(text.english.split())}\n    Chinese: {' '.join(text.chinese.split())}"
        yield Problem(text.page, text.line, f"the Chinese of {text.key!r} {change}", f"{texts_of_both}\n    {remedy}")
    keys = {text.key for text in texts}
    for line, key in enumerate(hashes, 2):  # the first line is a comment
        if key not in keys:
            yield Problem(HASHES, line, f"no Chinese text {key!r}", f"run `{RENEW} {key.partition(' ')[0]}`")
