"""The ledger reports all content that nothing checks, with file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck import ledger
from snippetcheck.fence_types import FenceType
from snippetcheck.ledger import Problem
from snippetcheck.snippet import Snippet, load
from snippetcheck.testing import registered


def load_snippets(project: Project) -> dict[str, Snippet]:
    root = project.root / "snippets"
    snippets = [load(path, root) for path in sorted(root.rglob("*.py"))]
    return {snippet.name: snippet for snippet in snippets}


def problem_tuples(problems: list[Problem], root: Path) -> list[tuple[str, int, str]]:
    """Return path, line and message of each problem. Check that each has a remedy and begins with path and line."""
    assert all(problem.remedy for problem in problems)
    assert all(str(problem).startswith(f"{problem.path}:{problem.line}: ") for problem in problems)
    return [(problem.path.relative_to(root).as_posix(), problem.line, problem.message) for problem in problems]


def test_an_unchecked_fence_is_reported(project: Project) -> None:
    project.page("a.md", "# A\n\n- item\n\n    ~~~ python\n    x\n    ~~~\n")
    assert problem_tuples(ledger.unclassified_blocks(project.root / "docs"), project.root) == [
        ("docs/a.md", 5, "a fence that nothing checks: 'python'")
    ]


def test_a_misspelt_fence_type_is_corrected(project: Project) -> None:
    project.page("a.md", "``` snippets\nfile: a.py\n```\n\n``` python\nx\n```\n")
    misspelt, other = ledger.unclassified_blocks(project.root / "docs")
    assert misspelt.remedy.startswith("did you mean ``` snippet? If not, embed a file")
    assert other.remedy.startswith("embed a file")


def test_a_misspelt_key_is_corrected(project: Project) -> None:
    project.page("a.md", "``` snippet\nfile: a.py\nregoin: a\n```\n")
    (problem,) = ledger.unclassified_blocks(project.root / "docs")
    assert problem.remedy == "did you mean `region:`? A snippet fence takes `file:`, and may take `region:`"


def test_a_fence_with_a_missing_snippet_or_region_is_reported(project: Project) -> None:
    project.snippet("a.py", "x = 1")
    project.page("a.md", "``` snippet\nfile: b.py\n```\n\n``` snippet\nfile: a.py\nregion: fix\n```\n")
    assert problem_tuples(ledger.invalid_fences(project.root / "docs", load_snippets(project)), project.root) == [
        ("docs/a.md", 1, "no snippet 'b.py'"),
        ("docs/a.md", 5, "no region 'fix' in a.py"),
    ]


def test_a_snippet_that_no_page_shows_is_reported(project: Project) -> None:
    project.snippet("a.py", "x = 1")
    project.snippet("b.py", "x = 1")
    project.page("a.md", "``` snippet\nfile: a.py\n```\n")
    assert problem_tuples(ledger.unembedded_snippets(project.root / "docs", load_snippets(project)), project.root) == [
        ("snippets/b.py", 1, "no page shows this snippet")
    ]


NUMBERS = {  # text on a page, and whether the ledger accepts its numbers
    "number": ("`28`", True),
    "number with a point": ("`28.`", True),
    "another number": ("`29`", False),
    "negative": ("`-2.5`", True),
    "negative without its sign": ("`2.5`", False),
    "tensor": ("`tensor([28., -2.5])`", True),
    "tensor in another order": ("`tensor([-2.5, 28.])`", False),
    "part of a tensor": ("`[28, -2.5]`", True),
    "nan": ("`nan`", True),
    "inf": ("`inf`", False),
    "number with an underscore": ("`1_000`", True),
    "number of an error": ("`404`", True),
    "number of a warning": ("`77`", True),
    "number outside the regions on the page": ("`13`", False),
    "in a table": ("`0.125`", True),
    "a name": ("`w1`", True),
    "code": ("`x = 29`", True),
    "tensor on two lines": ("`tensor([28.,\n3.])`", False),
    "more digits than a float has": ("`9007199254740993`", False),
    "number with more zeros": ("`28.00`", True),
    "number not in code style": ("29", True),
    "a call": ("`print(29)`", True),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_in_prose_must_occur_in_an_output_on_the_page(name: str, project: Project) -> None:
    text, is_accepted = NUMBERS[name]
    project.snippet(
        "a.py",
        """
        import warnings
        # region: shown
        print("tensor([28., -2.5])", "nan", 1000, 2**53)
        #> tensor([28., -2.5]) nan 1000 9007199254740992
        warnings.warn("77 times")
        #~ UserWarning: 77 times
        # endregion
        print(13)
        #> 13
        # region: error
        raise ValueError("code 404")
        #! ValueError: code 404
        # endregion
        """,
    )
    project.page(
        "a.md",
        f"The result is {text}.\n\n``` snippet\nfile: a.py\nregion: shown\n```\n\n"
        "``` snippet\nfile: a.py\nregion: error\n```\n\n``` table\n```\n",
    )
    with registered(FenceType("table", prints=lambda fence, snippets: ["0.125"])):
        problems = ledger.unverified_numbers(project.root / "docs", load_snippets(project))
    assert problem_tuples(problems, project.root) == (
        []
        if is_accepted
        else [("docs/a.md", 1, f"the number {' '.join(text.split())} occurs in no output shown on this page")]
    )


def test_a_project_without_snippets_is_reported(project: Project) -> None:
    assert problem_tuples(ledger.unembedded_snippets(project.root / "docs", {}), project.root) == [
        ("docs", 1, "the project has no snippets for these pages")
    ]


def test_a_fence_in_a_comment_shows_no_snippet(project: Project) -> None:
    project.snippet("a.py", "x = 1")
    fence = "``` snippet\nfile: a.py\n```\n"
    page = project.page("a.md", f"Text `<!--`.\n\n<!-- not yet\n\n{fence}\n-->\n")
    assert problem_tuples(ledger.unclassified_blocks(project.root / "docs"), project.root) == [
        ("docs/a.md", 5, "a fence in an HTML comment, where no reader sees it")
    ]
    assert len(ledger.unembedded_snippets(project.root / "docs", load_snippets(project))) == 1
    for text in (
        f"Text `<!--`.\n\n{fence}\n-->\n",
        f"<!-- a\n-->\n\n{fence}",
        f"<!-- a --> b\n\n{fence}-->",
        f"<!--\n\n{fence}",
    ):
        page.write_text(text)
        assert (
            ledger.unclassified_blocks(project.root / "docs")
            == ledger.unembedded_snippets(project.root / "docs", load_snippets(project))
            == []
        )


def test_a_fence_in_the_second_comment_of_a_line_shows_no_snippet(project: Project) -> None:
    project.snippet("a.py", "x = 1")
    project.page("a.md", "<!-- a --> <!-- b\n\n``` snippet\nfile: a.py\n```\n-->\n")
    assert len(ledger.unembedded_snippets(project.root / "docs", load_snippets(project))) == 1


def test_a_page_that_is_not_utf8_is_reported(project: Project) -> None:
    project.snippet("a.py", "x = 1")
    page = project.page("a.md", "---\ncovers: [x]\n---\n\n`1`\n\n``` snippet\nfile: a.py\n```\n")
    page.write_bytes(page.read_bytes() + b"caf\xe9\n")
    docs, snippets = project.root / "docs", load_snippets(project)
    assert problem_tuples(ledger.unclassified_blocks(docs), project.root) == [
        ("docs/a.md", 10, "a page that is not UTF-8")
    ]
    assert ledger.unembedded_snippets(docs, snippets) == []
    assert len(ledger.unverified_numbers(docs, snippets)) == 1
