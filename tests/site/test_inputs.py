"""A derived value is computed again if one of its inputs has changed, and only then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gradnotes import front_matter, inputs
from gradnotes.inputs import Memo
from gradnotes.problems import InputError


class RecordingMemo:
    """A memo that records which values it computes."""

    def __init__(self) -> None:
        self.memo = Memo()
        self.computed: list[str] = []

    def get(self, name: str, make: Callable[[], object]) -> object:
        """Return the value `name` of the memo. Record the name if the memo calls `make` to compute the value."""

        def recorded_make() -> object:
            self.computed.append(name)
            return make()

        return self.memo.get(name, recorded_make)

    def next_generation(self) -> list[str]:
        """Return the names of the values computed since the last call, and begin a new generation."""
        self.memo.begin()
        computed, self.computed = self.computed, []
        return computed


@pytest.fixture
def recorder() -> RecordingMemo:
    """Return an empty memo that records which values it computes."""
    return RecordingMemo()


def test_a_value_is_cached_until_its_file_changes(recorder: RecordingMemo, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"

    def words() -> object:
        return recorder.get("words", lambda: inputs.read_text(file).split())

    file.write_text("one")
    assert (words(), words(), recorder.next_generation()) == (["one"], ["one"], ["words"])
    assert (words(), recorder.next_generation()) == (["one"], [])
    file.write_text("one two")
    assert (words(), recorder.next_generation()) == (["one", "two"], ["words"])


def test_a_value_is_cached_while_the_values_it_depends_on_stay_equal(recorder: RecordingMemo, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Title\nText.")

    def title() -> object:
        return recorder.get("title", lambda: inputs.read_text(file).split("\n")[0])

    def page() -> object:
        return recorder.get("page", lambda: f"<h1>{title()}</h1>")

    assert (page(), recorder.next_generation()) == ("<h1>Title</h1>", ["page", "title"])
    file.write_text("Title\nAnother text.")
    assert (page(), recorder.next_generation()) == ("<h1>Title</h1>", ["title"])
    file.write_text("Name\nAnother text.")
    assert (page(), recorder.next_generation()) == ("<h1>Name</h1>", ["title", "page"])
    assert recorder.memo.files_of("page") == {file}


def test_created_and_removed_files_are_detected(recorder: RecordingMemo, tmp_path: Path) -> None:
    def exists() -> object:
        return recorder.get("exists", lambda: inputs.is_file(tmp_path / "a"))

    def names() -> object:
        def make() -> object:
            inputs.note_names(tmp_path)
            return sorted(path.name for path in tmp_path.iterdir())

        return recorder.get("names", make)

    def whole() -> object:
        return recorder.get("whole", lambda: inputs.note(tmp_path))

    assert (exists(), names(), whole(), recorder.next_generation()) == (False, [], None, ["exists", "names", "whole"])
    (tmp_path / "a").write_text("1")
    assert (exists(), names(), whole(), recorder.next_generation()) == (True, ["a"], None, ["exists", "names", "whole"])
    (tmp_path / "a").write_text("12")
    assert (exists(), names(), whole(), recorder.next_generation()) == (True, ["a"], None, ["whole"])
    (tmp_path / "a").unlink()
    assert (exists(), names(), whole(), recorder.next_generation()) == (False, [], None, ["exists", "names", "whole"])


def test_a_failed_value_is_computed_again_when_its_file_changes(recorder: RecordingMemo, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"

    def number() -> object:
        return recorder.get("number", lambda: int(inputs.read_text(file)))

    def text_or_error() -> object:
        def make() -> object:
            try:
                return f"{number()}"
            except (ValueError, InputError) as error:
                return type(error).__name__

        return recorder.get("text", make)

    for text, expected in (("1", "1"), ("x", "ValueError"), ("2", "2")):
        file.write_text(text)
        assert text_or_error() == expected
        recorder.next_generation()
    file.unlink()
    assert text_or_error() == "InputError"
    recorder.next_generation()
    file.write_text("3")
    assert text_or_error() == "3"


def test_a_value_of_another_memo_is_computed_again_when_its_file_changes(
    recorder: RecordingMemo, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"

    def text_or_error() -> object:
        def make() -> object:
            other = Memo()  # as of a second Project, for one computation
            try:
                text = other.get("text", lambda: other.get("file", lambda: inputs.read_text(file)))
                return other.get("number", lambda: int(other.get("file", str)) + len(text))
            except ValueError:
                return "ValueError"

        return recorder.get("text", make)

    for text, expected in (("1", 2), ("20", 22), ("x", "ValueError"), ("3", 4)):
        file.write_text(text)
        assert (text_or_error(), recorder.next_generation()) == (expected, ["text"])
        assert (text_or_error(), recorder.next_generation()) == (expected, [])
    assert recorder.memo.files_of("text") == {file}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one\ntwo \xe9\n", "a.txt:2: not UTF-8"),
        (None, "a.txt:1: the file is missing"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError) as error:
        inputs.read_text(file)
    assert error.value.message == message and error.value.remedy


def test_a_folder_instead_of_a_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^docs:1: must be a file, got a folder$"):
        inputs.read_text(tmp_path, "docs")


@pytest.mark.parametrize("raw", [b"\xef\xbb\xbfa\r\nb\rc\n", b"a\nb\nc\n"])
def test_byte_order_marks_and_line_ends_are_normalized(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(raw)
    assert inputs.read_text(tmp_path / "a.txt") == "a\nb\nc\n"


def test_invalid_keys_of_front_matter_are_reported_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: A\nminutes: soon\ncover: [b]\n---\n\nText.\n")
    front = front_matter.read(tmp_path, "a.md")
    assert (front.values, front.body) == ({"title": "A"}, "Text.\n")
    assert list(map(str, front.problems)) == [
        "a.md:3: `minutes` must be a whole number above 0, got 'soon'\n    write a number",
        "a.md:4: unknown key 'cover' in the front matter\n    did you mean covers?",
    ]
