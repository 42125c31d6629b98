"""A changed number in a tensor is reported with its index, and with the absolute and the relative difference."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from snippetcheck.numbers import changes, numbers


def test_numbers_of_a_tensor_have_their_index() -> None:
    text = "tensor([[1., 2.],\n        [3., 4.]], grad_fn=<MulBackward0>)"
    assert [(number.text, number.index) for number in numbers(text)] == [
        ("1.", (0, 0)),
        ("2.", (0, 1)),
        ("3.", (1, 0)),
        ("4.", (1, 1)),
    ]


def test_numbers_of_an_array_of_numpy_have_their_index() -> None:
    text = "[[1. 2.]\n [3. 4.]] [5]"
    assert [number.index for number in numbers(text)] == [(0, 0), (0, 1), (1, 0), (1, 1), (0,)]


def test_digits_in_names_are_not_numbers() -> None:
    assert [number.text for number in numbers("float32 w1 x2y MulBackward0 1.5e-03, -2 nan -inf 7")] == [
        "1.5e-03",
        "-2",
        "nan",
        "-inf",
        "7",
    ]


def test_a_change_has_an_absolute_and_a_relative_difference() -> None:
    (change,) = changes(["tensor([1., 2.])"], ["tensor([1., 2.5])"]) or []
    assert (change.index, change.expected, change.actual) == ((1,), "2.", "2.5")
    assert change.absolute == 0.5
    assert change.relative == 0.25
    assert str(change) == "[1] 2. -> 2.5  (absolute 0.5, relative 0.25)"


def test_a_change_of_other_text_is_not_a_change_of_numbers() -> None:
    assert changes(["tensor([1.])"], ["Tensor([1.])"]) is None
    assert changes(["1"], ["1", "2"]) is None


def test_the_relative_difference_from_zero_is_infinite() -> None:
    (change,) = changes(["0."], ["1."]) or []
    assert math.isinf(change.relative)


@given(st.lists(st.lists(st.integers(-999, 999), min_size=1, max_size=4), min_size=1, max_size=4))
def test_numbers_of_a_nested_list_have_their_index(rows: list[list[int]]) -> None:
    indexes = {number.index: int(number.text) for number in numbers(str(rows))}
    assert indexes == {(i, j): value for i, row in enumerate(rows) for j, value in enumerate(row)}


def test_exponents_that_no_float_can_represent_are_compared() -> None:
    texts = ["1e99999999", "1e-99999999", "1e9999999999999999999", "-1e9999999999999999999"]
    assert len({number.exact for text in texts for number in numbers(text)}) == 4
    assert [str(change) for change in changes(["1e99999999"], ["2"]) or ()] == [
        "1e99999999 -> 2  (absolute inf, relative nan)"
    ]
