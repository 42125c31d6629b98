"""Test the order of the path, the line about it under each title, and errors in `path:` and `needs:`.

Also check the pages of this site's path and the hints of exercises.
"""

from __future__ import annotations

import re
from pathlib import Path

import markdown
import pytest

from gradnotes.exercises.parser import load
from gradnotes.fences.exercise import ENGINE, ENGINE_PAGE, ENGINE_SECTION
from gradnotes.problems import PageError
from gradnotes.reading_order import followers, nav, path
from tests.files import write_files

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "index.md": "---\ntitle: Home\nparts: [a, b]\n---\n",
    "a/index.md": "---\ntitle: A\npages: [first, aside, last]\n---\n",
    "a/first.md": "---\ntitle: First\npath: 1\nminutes: 6\n---\n\n# First\n\nText.\n",
    "a/aside.md": "---\ntitle: Aside\n---\n\n# Aside\n",
    "a/last.md": "---\ntitle: Last\npath: 3\nminutes: 5\nneeds: [a/first, b/index, a/aside]\n---\n\n# Last\n",
    "b/index.md": "---\ntitle: The second\npath: 2\nneeds: [a/first]\npages: [test]\n---\n\n# The second\n",
    "b/test.md": "---\ntitle: A test\ncheckpoint: 2\nminutes: 9\n---\n\n# A test\n",
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Create a project with a path of three pages and a checkpoint, and a page off the path."""
    write_files(tmp_path / "docs", PAGES)
    return tmp_path


def path_line(book: Path, page: str) -> str | None:
    """Return the HTML of the line about the path under the title of a page, or None without such a line."""
    text = (book / "docs" / page).read_text()
    md = markdown.Markdown(extensions=["gradnotes.fences"], extension_configs={"gradnotes.fences": {"root": str(book)}})
    file = type("File", (), {"src_uri": page})
    md.treeprocessors.register(type("RelPath", (), {"file": file, "run": lambda self, root: None})(), "relpath", 0)
    match = re.search(r'<h1>.*?</h1>\s*<p class="path-line">(.*?)</p>', md.convert(text.partition("---\n\n")[2]))
    return match[1] if match else None


def test_the_path_is_ordered_by_its_numbers(book: Path) -> None:
    assert [stop.title for stop in path(book / "docs")] == ["First", "The second", "A test", "Last"]
    following = followers(book / "docs")
    assert following["a/first.md"] == "b/index.md"
    assert following["b/index.md"] == "b/test.md"
    assert following["b/test.md"] == "a/last.md"
    assert following["a/aside.md"] == "a/last.md"
    assert following["a/last.md"] == "b/index.md"  # the next page in reading order


def test_each_page_of_the_path_shows_its_position(book: Path) -> None:
    assert path_line(book, "a/first.md") == "Page 1 of 3 · 6 minutes"
    assert path_line(book, "b/index.md") == 'Page 2 of 3 · builds on <a href="../a/first.md">First</a>'
    assert path_line(book, "b/test.md") == "Checkpoint after page 2 of 3 · 9 minutes"
    assert path_line(book, "a/last.md") == (
        'Page 3 of 3 · 5 minutes · builds on <a href="first.md">First</a>, <a href="../b/index.md">The second</a>'
        ' and <a href="aside.md">Aside</a>'
    )
    assert path_line(book, "a/aside.md") is None


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("path: 2", "b/index.md:3: `path: 2` is also on a/aside.md\n    give one of the two pages another number"),
        ("path: soon", "b/index.md:3: `path` must be a whole number above 0, got 'soon'\n    write a number"),
        ("path: 9\nneeds: [a/nothing]", "`needs` names 'a/nothing', but there is no such page"),
    ],
)
def test_a_wrong_position_on_the_path_is_reported(book: Path, key: str, message: str) -> None:
    (book / "docs/a/aside.md").write_text("---\ntitle: Aside\npath: 2\n---\n\n# Aside\n")
    (book / "docs/b/index.md").write_text(f"---\ntitle: The second\n{key}\npages: [test]\n---\n\n# The second\n")
    with pytest.raises(PageError, match=re.escape(message)):
        path_line(book, "b/index.md")


def test_the_path_of_the_site_has_no_gaps_and_builds_on_earlier_pages() -> None:
    stops = path(DOCS)
    order = [stop.page for stop in stops]
    numbers = [stop.number for stop in stops if not stop.is_checkpoint]
    assert numbers == list(range(1, len(numbers) + 1))
    for position, stop in enumerate(stops):
        assert stop.minutes, f"{stop.page} has no `minutes`"
        assert set(stop.needs) <= set(order[:position]), (
            f"{stop.page}: `needs` names a page that comes later or is not on the path"
        )


def test_no_page_of_the_path_names_the_engine_before_it_is_explained() -> None:
    order = [stop.page for stop in path(DOCS)]
    before = order[: order.index(ENGINE_PAGE)]
    assert [page for page in before if "reference_impl" in (DOCS / page).read_text()] == []
    assert "reference_impl" not in ENGINE
    heading = "## " + ENGINE_SECTION.replace("-", " ").capitalize()
    explanation = (DOCS / ENGINE_PAGE).read_text().partition(f"\n{heading}\n")[2]
    assert "`reference_impl`" in explanation.partition("\n## ")[0]


EXERCISES = DOCS.parent / "exercises"
EXERCISE_FENCE = re.compile(r"^ *``` exercise\n *file: (\S+)", re.M)


def test_an_exercise_of_the_path_asks_at_most_one_question_in_its_hints() -> None:
    pages = [stop.page for stop in path(DOCS)]
    names = [name for page in pages for name in EXERCISE_FENCE.findall((DOCS / page).read_text())]
    assert len(names) > 40
    questions = {name: "".join(load(EXERCISES / name, EXERCISES).hints).count("?") for name in names}
    assert {name: count for name, count in questions.items() if count > 1} == {}


def test_no_hint_has_a_doubled_backslash() -> None:
    """Check hints and hints of wrong answers. They are comments, in which TeX commands need no doubled backslash."""
    exercises = [load(file, EXERCISES) for file in EXERCISES.rglob("*.py")]
    hints = {e.name: [*e.hints, *(answer.hint for answer in e.wrongs)] for e in exercises}
    assert [name for name, texts in hints.items() if any(r"\\" in (text or "") for text in texts)] == []


def test_a_page_may_precede_the_part_of_its_folder(book: Path) -> None:
    (book / "docs/index.md").write_text("---\ntitle: Home\nparts: [a/first, b, a]\n---\n")
    (book / "docs/a/index.md").write_text("---\ntitle: A\npages: [aside, last]\n---\n")
    navigation = nav(book / "docs")
    assert navigation.problems == []
    assert navigation.items[1:] == [
        "a/first.md",
        {"The second": ["b/index.md", "b/test.md"]},
        {"A": ["a/index.md", "a/aside.md", "a/last.md"]},
    ]
