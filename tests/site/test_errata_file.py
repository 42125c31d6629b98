"""Every mistake in a file of errata is reported with its line and a remedy. Faults of style in a Chinese text are reported, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradnotes.notes import chinese
from gradnotes.notes.erratum import load
from gradnotes.problems import InputError

RIGHT = """- id: theory.two-phases
  corrects: [theory.a, 3]
  at: ["2:5-9", "0:3"]
  tier: silent
  note: That it
    is so.
  now: It is not.
  proof: part/sum.py
  zh:
    note: 说是
      这样。
    now: 不是。
"""
WITH_COMMENT = RIGHT.replace("  zh:", "  instead: 'f(x) # now'\n  zh:") + "    instead: 'f(x) # 现在'\n"
WRONG = {
    "not YAML": ("- id: [\n", "2: not YAML: did not find expected node content", "quote a text"),
    "no list": ("id: a\n", "1: must be a list of entries", "begin each entry with `- id:`"),
    "a word for an entry": (RIGHT + "- word\n", "13: an entry must be `key: value` lines", "begin it with `- id:`"),
    "a key twice": (RIGHT + "  tier: breaks\n", "13: key 'tier' is repeated, it is also in line 4", "remove one"),
    "an unknown key": (RIGHT + "  prof: a\n", "13: unknown key 'prof'", "proof"),
    "a key left out": (RIGHT.replace("  tier: silent\n", ""), "1: the entry has no 'tier'", "an entry needs id, corrects, at, tier"),
    "a key without a value": (RIGHT.replace("silent", ""), "1: the entry has no 'tier'", "an entry needs id"),
    "one id instead of a list": (RIGHT.replace("[theory.a, 3]", "theory.a"), "1: 'corrects' of theory.two-phases", "ids"),
    "a number for a text": (RIGHT.replace("It is not.", "5"), "1: 'now' of theory.two-phases must be text, got 5", "in quotes"),
    "an id with a blank": (RIGHT.replace("theory.two-phases", "Two phases"), "1: id 'Two phases' is not kebab-case", "a-z"),
    "an unknown tier": (RIGHT.replace("silent", "slient"), "1: unknown tier 'slient'", "silent"),
    "no passage": (RIGHT.replace("0:3", "5:3"), "1: '5:3' is not a passage", "2:141-150"),
    "a passage that ends before it begins": (RIGHT.replace("2:5-9", "2:9-5"), "1: '2:9-5' is not a passage", "lines"),
    "an id twice": (RIGHT + RIGHT, "13: id 'theory.two-phases' is also in part.yml:1", "rename one"),
    "no Chinese": (RIGHT.partition("  zh:")[0], "1: theory.two-phases needs `zh:` with `note` and `now`", "write `zh:` with `note` and `now`"),
    "Chinese that is one text": (RIGHT.partition("  zh:")[0] + "  zh: 不是。\n", "1: theory.two-phases needs `zh:` with `note` and `now`", "write `zh:`"),
    "half of the Chinese": (RIGHT.replace("    now: 不是。\n", ""), "1: theory.two-phases has no Chinese 'now'", "write it as text below `zh`"),
    "an empty Chinese text": (RIGHT.replace("不是。", "''"), "1: theory.two-phases has no Chinese 'now'", "write it as text below `zh`"),
    "an unknown key of the Chinese": (RIGHT + "    nou: 一\n", "1: unknown key 'nou' in `zh` of theory.two-phases", "now"),
    "a comment in `instead` without Chinese": (WITH_COMMENT.replace("    instead: 'f(x) # 现在'\n", ""), "1: theory.two-phases has no Chinese 'instead'", "write it"),
    "Chinese of an `instead` without a comment": (WITH_COMMENT.replace(" # now", ""), "1: `instead` of theory.two-phases has no comment to translate", "remove it from `zh`"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_reported_with_line_and_remedy(name: str, tmp_path: Path) -> None:
    text, message, remedy = WRONG[name]
    (tmp_path / "part.yml").write_text(text)
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert caught.value.message.partition("/part.yml:")[2].startswith(message), caught.value.message
    assert remedy in caught.value.remedy


def test_all_keys_of_an_entry_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("")
    (tmp_path / "part.yml").write_text(RIGHT + RIGHT.replace("two-phases", "b"))
    first, second = load(tmp_path).values()
    assert (first.id, first.corrects, first.tier) == ("theory.two-phases", ("theory.a", "3"), "silent")
    assert [str(passage) for passage in first.at] == ["note 2, lines 5–9", "note 0, line 3"] and first.instead is None
    assert (first.note, first.now, first.proof) == ("That it is so.", "It is not.", "part/sum.py")
    assert (first.part, first.line, second.line) == ("part", 1, 13)
    assert (first.zh.note, first.zh.now, first.zh.instead) == ("说是 这样。", "不是。", None)
    (tmp_path / "part.yml").write_text(WITH_COMMENT)
    (entry,) = load(tmp_path).values()
    assert (entry.instead, entry.zh.instead) == ("f(x) # now", "f(x) # 现在")


CHINESE = "写 `a.b` 时，得到 4，不是 1.5（见 NumPy）。"
FAULTS = {
    "no blank before code": ("写`a.b` 时，得到 4，不是 1.5（见 NumPy）。", "put a blank between"),
    "no blank after a number": ("写 `a.b` 时，得到 4，不是 1.5倍（见 NumPy）。", "put a blank between"),
    "a half-width comma": ("写 `a.b` 时, 得到 4，不是 1.5（见 NumPy）。", "use the full-width mark"),
    "a half-width comma after code": ("写 `a.b`, 得到 4，不是 1.5（见 NumPy）。", "use the full-width mark"),
    "a half-width stop": ("写 `a.b` 时，得到 4，不是 1.5（见 NumPy）的数.", "use the full-width mark"),
    "half-width brackets": ("写 `a.b` 时，得到 4，不是 1.5(见 NumPy)。", "use the full-width mark"),
    "a blank beside a full-width mark": ("写 `a.b` 时， 得到 4，不是 1.5（见 NumPy）。", "no blank beside"),
    "a straight quote": ("写 `a.b` 时，得到 4，不是 1.5（见 NumPy'）。", "quotes are"),
    "a blank within Chinese": ("写 `a.b` 时，得 到 4，不是 1.5（见 NumPy）。", "no blank between Chinese"),
    "a phrase that the style guide excludes": ("写 `a.b` 的话，得到 4，不是 1.5（见 NumPy）。", "style guide"),
    "other code": ("写 `a.c` 时，得到 4，不是 1.5（见 NumPy）。", "code differs from the English: `a.b`, `a.c`"),
    "another number": ("写 `a.b` 时，得到 4，不是 1.6（见 NumPy）。", "numbers are ['1.6', '4'], in English ['1.5', '4']"),
    "a number left out": ("写 `a.b` 时，不是 1.5（见 NumPy）。", "numbers are ['1.5'], in English"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_chinese_text_is_reported(name: str) -> None:
    english = "With `a.b` you get 4, not 1.5 (see NumPy)."
    assert list(chinese.problems(CHINESE, english)) == []
    text, message = FAULTS[name]
    problems = list(chinese.problems(text, english))
    assert len(problems) == 1 and message in problems[0], problems
