"""Compare a reader's answer with printed output. docs/assets/predict.js does the same in the browser.

White space, commas, quotation marks, case, `tensor(...)` and round brackets are ignored. Numbers must agree to the
precision of the printed number: `1/4` equals `0.2500`, `[7, 7]` equals `tensor([7., 7.])`, and `0.3` does not
equal `0.3333`.
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
_ERRORS = {"error", "exception", "raises", "报错", "会报错", "出错", "错误", "异常", "抛出异常"}
_SMALL_WORDS = {"a", "an", "it", "the"}

Token = tuple[str, float, float]  # (word, 0, 0) or ("", number, tolerance)


def is_same_answer(answer: str, right: str, *, is_strict: bool = False) -> bool:
    """Return whether `answer` means the same as `right`, a printed text.

    An answer may omit the attributes (`grad_fn=...`, `dtype=...`) and the brackets of a vector. Set `is_strict` to require
    them: the choices of a multiple-choice question may differ only in attributes or brackets.
    """
    answer_text, printed_text = answer.lower().replace("−", "-"), right.lower()
    if not is_strict and "=" not in answer_text:
        printed_text = _ATTRIBUTES.sub("", printed_text)
    answer_tokens, printed_tokens = _tokens(answer_text), _tokens(printed_text)
    brackets = [token for token in printed_tokens if token[0] == "["]
    if not is_strict and len(brackets) == 1 and not any(token[0] in "[]" for token in answer_tokens if token[0]):
        printed_tokens = [token for token in printed_tokens if token[0] not in ("[", "]")]
    return len(answer_tokens) == len(printed_tokens) and all(map(_tokens_match, answer_tokens, printed_tokens))


def is_error(answer: str, kind: str) -> bool:
    """Return whether `answer` says that the program raises an error, such as "raises" or "an error".

    If the answer names a type of error, the type must be `kind`, the type that the program raises.
    """
    words = [word for word in re.findall(r"[\w.]+", answer.lower()) if word not in _SMALL_WORDS]
    return bool(words) and all(word in _ERRORS or word == kind.lower() for word in words)


def _tokens(text: str) -> list[Token]:
    """Split a text into words, square brackets and numbers, without `tensor` and quotation marks.

    A fraction such as `1/4` is one number.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        if match["number"] is None:
            word = match[0].strip("'\"`")
            if word and word not in _NAMES:
                tokens.append((word, 0.0, 0.0))
            continue
        value = float(match["number"])
        if match["over"]:
            divisor = float(match["over"])
            value = value / divisor if divisor else float("inf")
        tokens.append(("", value, _tolerance(match["number"])))
    return tokens


def _tolerance(number: str) -> float:
    """Return half a unit of the last digit of a printed number: 0.005 for "0.25", 0 for an integer."""
    digits, _, exponent = number.partition("e")
    decimals = len(digits.partition(".")[2])
    return float(Fraction(10) ** (int(exponent or 0) - decimals)) / 2 if decimals or exponent else 0.0


def _tokens_match(answer: Token, printed: Token) -> bool:
    """Return whether two tokens are the same word, or numbers that differ by at most the tolerance of `printed`."""
    # the factor allows for the rounding of binary floats
    return answer[0] == printed[0] and abs(answer[1] - printed[1]) <= printed[2] * 1.000001
