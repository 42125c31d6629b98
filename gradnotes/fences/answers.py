"""Whether what a reader answers is what a run printed; docs/assets/predict.js decides it in the same way.

Layout, case, `tensor(...)` and round brackets do not count, numbers do, to the digits that were printed:
`1/4` is `0.2500`, `[7, 7]` is `tensor([7., 7.])`, and `0.3` is not `0.3333`.
"""

from __future__ import annotations

import re
from fractions import Fraction

_TOKEN = re.compile(
    r"(?<![\w.])(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\s*/\s*(?P<over>\d+\.?\d*))?(?!\w)"
    r"|[\[\]]|[^\s,()\[\]]+",
    re.ASCII,
)
_ATTRIBUTES = re.compile(r",\s*(?:grad_fn|requires_grad|dtype|device|size)=(?:<[^>]*>|\([^)]*\)|[^,)\s]+)", re.ASCII)
_NAMES = {"tensor", "torch.size"}
_ERRORS = {"error", "exception", "raises"}
_SMALL_WORDS = {"a", "an", "it", "the"}

Token = tuple[str, float, float]  # a word, or a number with what it may be off by


def same(answer: str, right: str, *, strict: bool = False) -> bool:
    """Whether `answer` says what `right`, a printed text, says.

    An answer without attributes (`grad_fn=...`, `dtype=...`) leaves them out of the comparison, and one without
    brackets those of a vector; `strict` does not, since two choices may differ in just that.
    """
    said, printed = answer.lower().replace("−", "-"), right.lower()
    if not strict and "=" not in said:
        printed = _ATTRIBUTES.sub("", printed)
    one, two = _tokens(said), _tokens(printed)
    brackets = [token for token in two if token[0] == "["]
    if not strict and len(brackets) == 1 and not any(token[0] in "[]" for token in one if token[0]):
        two = [token for token in two if token[0] not in ("[", "]")]
    return len(one) == len(two) and all(map(_alike, one, two))


def is_error(answer: str, kind: str) -> bool:
    """Whether `answer` says that an error is raised, and if it names one, this `kind`."""
    words = [word for word in re.findall(r"[\w.]+", answer.lower()) if word not in _SMALL_WORDS]
    return bool(words) and all(word in _ERRORS or word == kind.lower() for word in words)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        if match["number"] is None:
            word = match[0].strip("'\"`")
            if word and word not in _NAMES:
                found.append((word, 0.0, 0.0))
            continue
        value = float(match["number"])
        if match["over"]:
            over = float(match["over"])
            value = value / over if over else float("inf")
        found.append(("", value, _off(match["number"])))
    return found


def _off(number: str) -> float:
    """Half of the last printed digit; of a whole number nothing."""
    digits, _, exponent = number.partition("e")
    decimals = len(digits.partition(".")[2])
    return float(Fraction(10) ** (int(exponent or 0) - decimals)) / 2 if decimals or exponent else 0.0


def _alike(one: Token, two: Token) -> bool:
    return one[0] == two[0] and abs(one[1] - two[1]) <= two[2] * 1.000001
