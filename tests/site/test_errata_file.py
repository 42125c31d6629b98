"""Each way in which a file of errata can be wrong is told with its line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradnotes.fences.errata import load
from gradnotes.problems import InputError

RIGHT = """- id: theory.two-phases
  corrects: [theory.a, 3]
  at: ["2:5-9", "0:3"]
  tier: silent
  note: That it
    is so.
  now: It is not.
  proof: part/sum.py
"""
WRONG = {
    "not YAML": ("- id: [\n", "2: not YAML: did not find expected node content", "quote a text"),
    "no list": ("id: a\n", "1: must be a list of entries", "begin each entry with `- id:`"),
    "a word for an entry": (RIGHT + "- word\n", "9: an entry must be `key: value` lines", "begin it with `- id:`"),
    "a key twice": (RIGHT + "  tier: breaks\n", "4: key 'tier' is repeated", "remove one"),
    "an unknown key": (RIGHT + "  prof: a\n", "9: unknown key 'prof'", "proof"),
    "a key left out": (RIGHT.replace("  tier: silent\n", ""), "1: the entry has no 'tier'", "an entry needs id, corrects, at, tier"),
    "a key without a value": (RIGHT.replace("silent", ""), "1: the entry has no 'tier'", "an entry needs id"),
    "one id instead of a list": (RIGHT.replace("[theory.a, 3]", "theory.a"), "1: 'corrects' of theory.two-phases", "ids"),
    "a number for a text": (RIGHT.replace("It is not.", "5"), "1: 'now' of theory.two-phases has the wrong type", "in quotes"),
    "an id with a blank": (RIGHT.replace("theory.two-phases", "Two phases"), "1: id 'Two phases' is not kebab-case", "a-z"),
    "an unknown tier": (RIGHT.replace("silent", "slient"), "1: unknown tier 'slient'", "silent"),
    "no passage": (RIGHT.replace("0:3", "5:3"), "1: '5:3' is not a passage", "2:141-150"),
    "a passage that ends before it begins": (RIGHT.replace("2:5-9", "2:9-5"), "1: '2:9-5' is not a passage", "lines"),
    "an id twice": (RIGHT + RIGHT, "9: id 'theory.two-phases' is also in part.yml:1", "rename one"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told(name: str, tmp_path: Path) -> None:
    text, message, remedy = WRONG[name]
    (tmp_path / "part.yml").write_text(text)
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert caught.value.message.partition("/part.yml:")[2].startswith(message), caught.value.message
    assert remedy in caught.value.remedy


def test_an_entry_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("")
    (tmp_path / "part.yml").write_text(RIGHT + RIGHT.replace("two-phases", "b"))
    one, other = load(tmp_path).values()
    assert (one.id, one.corrects, one.tier) == ("theory.two-phases", ("theory.a", "3"), "silent")
    assert [str(passage) for passage in one.at] == ["note 2, lines 5–9", "note 0, line 3"] and one.instead is None
    assert (one.note, one.now, one.proof) == ("That it is so.", "It is not.", "part/sum.py")
    assert (one.part, one.line, other.line) == ("part", 1, 9)
