"""Each Chinese text about the notes has a hash of its English text, so that a change of the English alone is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradnotes.notes import chinese, renderings
from tests.files import write_files

DOCS = Path(__file__).resolve().parents[2] / "docs"
SOURCES = {
    "errata/part.yml": """- id: part.sum
  corrects: [part.idea]
  at: ["2:5-9"]
  tier: silent
  note: That it is 5.
  now: It is 4.
  instead: 'f(x) # now'
  proof: part/sum.py
  zh: {note: 说是 5。, now: 是 4。, instead: 'f(x) # 现在'}
""",
    "inventory.yml": """- id: part.idea
  at: ["2:5-9", "3:1"]
  en: It is
    a sum.
  zh: 是求和。
  passages:
    "3:1": {en: It is said again., zh: 又说了一遍。}
""",
    "notes/core-modules.md": """## Listings {#listings}

| Line | As printed | What happens | Write |
|---|---|---|---|
| 207, 210 | `import` | `SyntaxError`: <span lang="zh-Hans">缺少模块名。</span> The name is missing. | `import torch` |
""",
    "what-has-changed.md": """# What has changed

先读这些。
{: lang="zh-Hans" }

Read these first.
They are few.

- *Silent*: nothing warns you. <span lang="zh-Hans">没有提醒。</span>
""",
}
CHANGES = {  # file, English text to change, and the start of the report
    "note": ("errata/part.yml", "That it is 5.", "errata/part.yml:1: the Chinese of 'part.sum note' translates"),
    "now": ("errata/part.yml", "It is 4.", "errata/part.yml:1: the Chinese of 'part.sum now' translates"),
    "a comment": ("errata/part.yml", "# now", "errata/part.yml:1: the Chinese of 'part.sum instead' translates"),
    "an idea": ("inventory.yml", "a sum.", "inventory.yml:1: the Chinese of 'part.idea' translates"),
    "a passage": ("inventory.yml", "said again.", "inventory.yml:1: the Chinese of 'part.idea 3:1' translates"),
    "a row": (
        "notes/core-modules.md",
        "The name is missing.",
        "notes/core-modules.md:5: the Chinese of '3:207 row' translates",
    ),
    "a paragraph": (
        "what-has-changed.md",
        "They are few.",
        "what-has-changed.md:3: the Chinese of 'what-has-changed.md 1' translates",
    ),
    "an item": (
        "what-has-changed.md",
        "nothing warns you.",
        "what-has-changed.md:9: the Chinese of 'what-has-changed.md 2' translates",
    ),
}


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder docs/ of a project in which all Chinese texts are up to date."""
    write_files(tmp_path / "docs", SOURCES)
    monkeypatch.chdir(tmp_path)
    assert renderings.main(["--all"]) == 0
    return tmp_path / "docs"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def problems(docs: Path) -> list[str]:
    """Return a report for each Chinese text whose English has changed or has no hash, and for each hash without a Chinese text."""
    return [
        str(problem) for problem in chinese.freshness_problems(renderings.collect(docs), renderings.read_hashes(docs))
    ]


def test_each_chinese_text_renders_the_current_english() -> None:
    if outdated := problems(DOCS):
        pytest.fail("\n".join(outdated), pytrace=False)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_only_the_english_is_reported_until_its_hash_is_renewed(
    name: str, docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, english, message = CHANGES[name]
    replace(docs / page, english, f"{english} Not always.")
    (problem,) = problems(docs)
    assert problem.startswith(f"{message} an English text that has changed\n    English: ")
    assert "Not always." in problem and "\n    Chinese: " in problem
    assert renderings.main([]) == 1 and message in capsys.readouterr().err
    entry = problem.rpartition("renderings ")[2].rstrip("`")
    assert renderings.main([entry]) == 0 and problems(docs) == []


def test_new_line_breaks_in_english_and_edits_of_chinese_are_not_reported(docs: Path) -> None:
    replace(docs / "inventory.yml", "It is\n    a sum.", "It is a sum.")
    replace(docs / "inventory.yml", "是求和。", "就是求和。")
    assert problems(docs) == []


def test_added_and_removed_texts_are_reported(docs: Path) -> None:
    replace(docs / "inventory.yml", "part.idea", "part.other")
    first_lines = [problem.splitlines()[0] for problem in problems(docs)]
    assert first_lines == [
        "inventory.yml:1: the Chinese of 'part.other' has no stored hash of its English text",
        "inventory.yml:1: the Chinese of 'part.other 3:1' has no stored hash of its English text",
        "notes/chinese.yml:5: no Chinese text 'part.idea'",
        "notes/chinese.yml:6: no Chinese text 'part.idea 3:1'",
    ]
    assert renderings.main(["part.other", "part.idea"]) == 0 and problems(docs) == []
    with pytest.raises(SystemExit):
        renderings.main(["part.unknown"])


def test_the_command_reports_a_malformed_file(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(docs / "inventory.yml", "  at:", "  att:")
    with pytest.raises(SystemExit, match="2"):
        renderings.main(["part.idea"])
    assert "inventory.yml:1: unknown key 'att' of part.idea\n    did you mean at?" in capsys.readouterr().err
