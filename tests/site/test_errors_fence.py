"""The list of errors contains the errors that examples raise, or catch and print, and the warnings that they show."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from snippetcheck.snippet import parse

from gradnotes.fences.errors import messages, render_errors
from gradnotes.markup import Page
from gradnotes.project import Project

EXAMPLES = {
    "raised": ("1 / 0\n#! ZeroDivisionError: division by zero", [("ZeroDivisionError", "division by zero")]),
    "caught, of two lines": (
        """
        try:
            f()
        except ValueError as error:
            print(error)
        #> one
        #> two
        """,
        [("ValueError", "one\ntwo")],
    ),
    "caught, its lines joined": (
        """
        try:
            f()
        except ValueError as error:
            print(*str(error).split())
        #> one two
        """,
        [("ValueError", "one two")],
    ),
    "caught in a loop, the type in front": (
        """
        for f in functions:
            try:
                print(f())
            except (ValueError, TypeError) as error:
                print(f"{type(error).__name__}: {error}")
        #> tensor([3.])
        #> TypeError: f() takes 1 argument
        """,
        [("TypeError", "f() takes 1 argument")],
    ),
    "caught in a loop, another word in front": (
        """
        for name, f in functions.items():
            try:
                f()
            except RuntimeError as error:
                print(f"{name}: {error}")
        #> zero_: a view of a leaf
        """,
        [("RuntimeError", "a view of a leaf")],
    ),
    "caught in a function that the example defines": (
        """
        def refused(f):
            try:
                f()
            except RuntimeError as error:
                print(error)

        refused(print)
        #> no more than one
        """,
        [("RuntimeError", "no more than one")],
    ),
    "caught, and something else printed": (
        """
        try:
            f()
        except RuntimeError:
            print("an error", x)
        #> an error 3
        """,
        [],
    ),
    "caught in a loop, where something else of few words is printed too": (
        """
        for f in functions:
            try:
                f()
            except RuntimeError as error:
                print(error)
            print("next", f)
        #> no more than one view
        #> next f g h
        """,
        [("RuntimeError", "no more than one view")],
    ),
    "assigned, to be compared with the error of this build": (
        """
        expected = "RuntimeError: no device in this build"
        try:
            f()
        except RuntimeError as error:
            message = f"RuntimeError: {error}"
        print(message == expected, "TypeError: is not raised")
        #> True TypeError: is not raised
        """,
        [("RuntimeError", "no device in this build")],
    ),
    "warned": ("f()\n#~ UserWarning: beware", [("UserWarning", "beware")]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_messages_of_an_example_are_collected(name: str) -> None:
    body, expected = EXAMPLES[name]
    text = f'"""A title."""\n\n{dedent(body).strip()}\n'
    assert list(messages(parse(text, "a.py", "a.py"))) == expected


def test_each_message_has_one_row_with_the_example_about_it(root: Path) -> None:
    html = render_errors(Project(root), Page("errors.md", set()), {})
    rows = re.findall(
        r"<code>(RuntimeError: Trying to backward through the graph a second time.*?)</code>.*?href=\"([^\"]+)", html
    )
    assert len(rows) == 1, "examples that print only part of a message must have no rows of their own"
    assert "Specify retain_graph=True" in rows[0][0]
    (address,) = re.findall(
        r"RuntimeError: 1D tensors expected, but got 2D and 2D tensors</code>.*?href=\"([^\"]+)", html
    )
    assert "numpy-dot" in address, (
        "the row must lead to the example about this message, not to an earlier one that prints it too"
    )
    for begins, page in (
        ("a leaf Variable that requires grad is being", "in-place/leaves.html"),
        ("Trying to backward through the graph", "using-autograd/second-backward.html"),
    ):
        (address,) = re.findall(rf"RuntimeError: {begins}[^<]*</code>.*?href=\"([^\"]+)", html)
        assert address.startswith(page), "the row must lead to the page that quotes the message"
