"""Each way in which a file of errata can be wrong is told with its line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradnotes.fences.errata import find, load
from gradnotes.fences.problems import FenceError

RIGHT = """- id: theory.two-phases
  corrects: [theory.a, 3]
  kind: wrong
  note: That it
    is so.
  now: It is not.
  proof: part/sum.py
"""
WRONG = {
    "not YAML": ("- id: [\n", "2: is not YAML: did not find expected node content", "quote it"),
    "no list": ("id: a\n", "1: is not a list", "begin each entry with `- id:`"),
    "a word for an entry": (RIGHT + "- word\n", "8: is not an entry", "begin it with `- id:`"),
    "a key twice": (RIGHT + "  kind: changed\n", "3: key 'kind' is repeated", "keep one"),
    "an unknown key": (RIGHT + "  prof: a\n", "8: unknown key 'prof'", "proof"),
    "a key left out": (RIGHT.replace("  kind: wrong\n", ""), "1: an entry without 'kind'", "it needs id, corrects, kind"),
    "a key without a value": (RIGHT.replace("wrong", ""), "1: an entry without 'kind'", "it needs id"),
    "one id instead of a list": (RIGHT.replace("[theory.a, 3]", "theory.a"), "1: 'corrects' of theory.two-phases", "ids"),
    "a number for a text": (RIGHT.replace("It is not.", "5"), "1: 'now' of theory.two-phases is not right", "quote it"),
    "an id with a blank": (RIGHT.replace("theory.two-phases", "Two phases"), "1: id 'Two phases' is not kebab-case", "a-z"),
    "an unknown kind": (RIGHT.replace("wrong", "wrnog"), "1: unknown kind 'wrnog'", "wrong"),
    "an id twice": (RIGHT + RIGHT, "8: id 'theory.two-phases' is also in part.yml:1", "rename one"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told(name: str, tmp_path: Path) -> None:
    text, message, remedy = WRONG[name]
    (tmp_path / "part.yml").write_text(text)
    with pytest.raises(FenceError) as caught:
        load(tmp_path)
    assert caught.value.message.partition("/part.yml:")[2].startswith(message), caught.value.message
    assert remedy in caught.value.remedy


def test_an_entry_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("")
    (tmp_path / "part.yml").write_text(RIGHT + RIGHT.replace("two-phases", "b"))
    one, other = load(tmp_path).values()
    assert (one.id, one.corrects, one.kind) == ("theory.two-phases", ("theory.a", "3"), "wrong")
    assert (one.note, one.now, one.proof) == ("That it is so.", "It is not.", "part/sum.py")
    assert (one.part, one.line, other.line) == ("part", 1, 8)
    assert find("theory.b", tmp_path) == other
    with pytest.raises(FenceError, match="no erratum 'theory.c'"):
        find("theory.c", tmp_path)
