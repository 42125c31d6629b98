"""Test the Chinese edition: differences from the English are reported with file and line, and pages are built in Chinese."""

from __future__ import annotations

import re
import shutil
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from gradnotes import reading_order
from gradnotes.exercises.parser import load
from gradnotes.fences.answer_matching import is_error
from gradnotes.notes import chinese
from gradnotes.problems import InputError
from gradnotes.serve.site import LiveSite
from gradnotes.translation import __main__ as command
from gradnotes.translation import comparison, freshness, sources
from gradnotes.translation.blocks import parse_blocks
from gradnotes.translation.messages import messages
from gradnotes.words import say, speaking
from tests.files import write_files
from tests.site.test_fences import add_theme

ENGLISH = """---
title: The sum
description: What a sum does to a gradient.
path: 1
minutes: 3
---

# The sum

A **leaf** is used twice here, and `x.grad` is 6. See [the other page](other.md#more) and $x^2$.

<!-- A comment is for authors. -->

## Two uses

1. The first use of the leaf, on line 3.
2. The second one.

??? note "More: a table"

    | name | value |
    |---|---|
    | `a` | 1.5 |

``` predict
file: part/sum.py
ask: What does it print?
wrong: 5 -> Count again.
wrong: an error -> Which line would raise it?
wrong: nothing at all -> It prints.
why: Two and two are `4`.
```

``` exercise
file: part/repair_it.py
```
"""
CHINESE = """---
title: 求和
description: 求和对梯度做了什么。
---

# 求和

这里一个**叶子张量**用了两次，`x.grad` 是 6。见[另一页](other.md#more)和 $x^2$。

## 用了两次 {#two-uses}

1. 叶子张量第一次用到，在第 3 行。
2. 第二次。

??? note "进一步：一张表"

    | 名称 | 值 |
    |---|---|
    | `a` | 1.5 |

``` predict
file: part/sum.py
ask: 它会打印什么？
wrong: 5 -> 再数一遍。
wrong: 报错 -> 哪一行会报错？
wrong: 什么也不打印 -> 它会打印。
why: 二加二是 `4`。
```

``` exercise
file: part/repair_it.py
```
"""
SNIPPET = '"""Two and two."""\n# covers: theory.sum\n\nprint(2 + 2)\n#> 4\n'
EXERCISE = '''"""`total` should be 6."""
# exercise: repair
# covers: theory.sum
# hint: Count again.

# %% start
total = 3
print(total)

# %% solution
# - total = 3
# + total = 6

# %% check
assert total != 3, "It is still 3."
assert total == 6, f"It is {total}, and 6 would be right."

# %% wrong: too small
# - total = 3
# + total = 1

# %% wrong: no number
# error: NameError: name 'six' is not defined
# hint: Python knows no `six`.

# - total = 3
# + total = six
'''
EXERCISES = """part/repair_it:
  question: ["`total` 应该是 6。"]
  hints: ["再数一遍。"]
  asserts: ["它还是 3。", "它是 {total}，6 才对。"]
  wrong:
    no number: "Python 不认识 `six`。"
"""
FILES = {
    "pyproject.toml": "[tool.snippetcheck.engines.torch]\n[tool.snippetcheck.engines.reference_impl]\n",
    "docs/index.md": "---\ntitle: Home\nparts: [part]\nstretches:\n  - [All, 1]\n---\n\nText.\n",
    "docs/part/index.md": "---\ntitle: Part\npages: [sum, other]\n---\n\n# Part\n\nText.\n",
    "docs/part/sum.md": ENGLISH,
    "docs/part/other.md": "---\ntitle: Other\n---\n\n# Other\n\n## More\n\nText.\n",
    "docs/glossary.yml": "leaf: A tensor at the end of the graph.\n",
    "snippets/part/sum.py": SNIPPET,
    "exercises/part/repair_it.py": EXERCISE,
    "i18n/zh/index.md": "---\ntitle: 首页\ndescription: 首页。\nstretches:\n  - [全部, 1]\n---\n\n正文。\n",
    "i18n/zh/part/sum.md": CHINESE,
    "i18n/zh/exercises.yml": EXERCISES,
    "i18n/zh/snippets.yml": 'part/sum: "二加二"\n',
    "i18n/zh/glossary.yml": 'leaf:\n  term: 叶子张量\n  text: "图的末端的张量。"\n',
    "i18n/zh/interface.yml": '"Predict": "预测"\n"Solution": "看答案"\n"On this page": "本页内容"\n"no line raises": "都不报错"\n',
}


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """Create a project with one part. One page of the part has a Chinese version."""
    write_files(tmp_path / "project", FILES)
    freshness.renew(tmp_path / "project", comparison.names_with_chinese(tmp_path / "project"))
    return tmp_path / "project"


def edit(project: Path, name: str, old: str, new: str) -> None:
    """Replace the only occurrence of `old` in a file of the project."""
    path = project / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def problems(project: Path) -> str:
    """Return as text all problems of the Chinese texts: differences from the English, and English texts that have changed."""
    hashes = freshness.read_hashes(project)
    names = comparison.names_with_chinese(project)
    differences = [problem for name in names for problem in comparison.structure_problems(project, name)]
    return "\n".join(
        map(str, [*differences, *(p for name in names for p in freshness.freshness_problems(project, name, hashes))])
    )


PAGE, TABLE = "i18n/zh/part/sum.md", "i18n/zh/exercises.yml"
DIFFERENCES = {  # a change (file, old text, new text), and the message that it must cause
    "a key of the English page": (
        PAGE,
        "title: 求和\n",
        "title: 求和\npath: 1\n",
        f"{PAGE}:3: `path` is not allowed in a Chinese page",
    ),
    "no description": (PAGE, "description: 求和对梯度做了什么。\n", "", f"{PAGE}:1: no `description`"),
    "a paragraph too many": (
        PAGE,
        "2. 第二次。\n",
        "2. 第二次。\n\n多了一段。\n",
        f"{PAGE}:15: blocks differ: got paragraph, the English page has nothing",
    ),
    "an item too few": (
        PAGE,
        "2. 第二次。\n",
        "",
        f"{PAGE}:12: blocks differ: got nothing, the English page has numbered item",
    ),
    "another box": (
        PAGE,
        "??? note",
        "!!! note",
        f"{PAGE}:15: blocks differ: got box note, the English page has fold note",
    ),
    "no anchor": (PAGE, " {#two-uses}", "", f"{PAGE}:10: anchor must be 'two-uses', got ''"),
    "another link": (PAGE, "other.md#more", "other.md", f"{PAGE}:8: links are"),
    "other code": (PAGE, "`x.grad` 是", "`x` 是", f"{PAGE}:8: code: only in Chinese: `x`; only in English: `x.grad`"),
    "another formula": (PAGE, "$x^2$", "$x^3$", f"{PAGE}:8: formulas: "),
    "another number": (PAGE, "是 6。", "是 7。", f"{PAGE}:8: numbers: only in Chinese: 7; only in English: 6"),
    "a number in a table": (PAGE, "| `a` | 1.5 |", "| `a` | 2.5 |", f"{PAGE}:17: numbers: "),
    "no blank": (PAGE, "是 6。", "是6。", f"{PAGE}:8: "),
    "a half-width mark": (PAGE, "用了两次，", "用了两次,", f"{PAGE}:8: "),
    "another file": (
        PAGE,
        "file: part/sum.py",
        "file: part/other.py",
        f"{PAGE}:22: `file` must be 'part/sum.py', got 'part/other.py'",
    ),
    "an answer too few": (
        PAGE,
        "wrong: 5 -> 再数一遍。\n",
        "",
        f"{PAGE}:21: got 2 wrong answers, the English page has 3",
    ),
    "an answer without a hint": (PAGE, "wrong: 5 -> 再数一遍。", "wrong: 5 ->", f"{PAGE}:24: no hint in `wrong: 5 ->`"),
    "another answer": (PAGE, "wrong: 5 ->", "wrong: 6 ->", f"{PAGE}:24: the answer '6' differs from '5'"),
    "an error in other words": (
        PAGE,
        "wrong: 报错 ->",
        "wrong: 出错 ->",
        f"{PAGE}:25: the answer '出错' must be '报错'",
    ),
    "code in a hint": (PAGE, "二加二是 `4`。", "二加二是 `5`。", f"{PAGE}:27: `why`: code: "),
    "a question in English": (
        PAGE,
        "ask: 它会打印什么？",
        "ask: What does it print?",
        f"{PAGE}:23: `ask` is still English",
    ),
    "no second assert": (
        TABLE,
        ', "它是 {total}，6 才对。"',
        "",
        f"{TABLE}:1: part/repair_it: `asserts` must be a list of 2",
    ),
    "other braces": (TABLE, "{total}", "{sum}", f"{TABLE}:1: part/repair_it: assert 2: braces are"),
    "no such exercise": (TABLE, "part/repair_it:", "part/repair:", f"{TABLE}:1: part/repair: no English text"),
    "another label": (
        TABLE,
        "no number:",
        "a number:",
        f"{TABLE}:1: part/repair_it: `wrong` must have the labels 'no number'",
    ),
    "another end of a stretch": (
        "i18n/zh/index.md",
        "[全部, 1]",
        "[全部, 2]",
        "i18n/zh/index.md:4: `stretches` end with the pages [2]",
    ),
    "no definition": (
        "i18n/zh/glossary.yml",
        '  text: "图的末端的张量。"\n',
        "",
        "i18n/zh/glossary.yml:1: leaf: needs `term` and `text`",
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_difference_is_reported_with_file_and_line(small_project: Path, name: str) -> None:
    assert problems(small_project) == ""
    file, old, new, message = DIFFERENCES[name]
    edit(small_project, file, old, new)
    assert message in problems(small_project)


def test_words_in_formulas_may_be_chinese_and_names_must_agree() -> None:
    english = r"So $a_{\text{mean}} = \text{left}$."
    for formula, message in {
        r"$a_{\text{求平均}} = \text{left}$": None,
        r"$a_{\text{求平均}} = \text{right}$": r"names in formulas: only in Chinese: right",
        r"$b_{\text{求平均}} = \text{left}$": r"formulas: only in Chinese: $b_",
        r"$a_{求平均} = \text{left}$": r"formulas: only in Chinese: $a_{求",
    }.items():
        differences = comparison.text_differences(f"所以 {formula}。", english)
        if message is None:
            assert differences == []
        else:
            assert differences and differences[0].startswith(message)


def test_a_change_of_the_english_is_listed_with_both_texts(small_project: Path) -> None:
    git = ["git", "-C", str(small_project), "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    edit(small_project, "docs/part/sum.md", "2. The second one.", "2. The second use.")
    text = problems(small_project)
    assert f"{PAGE}:13: the English page has changed (docs/part/sum.md:17)\n" in text
    assert "was: 2. The second one.\n    now: 2. The second use.\n" in text
    edit(small_project, "exercises/part/repair_it.py", "# hint: Count again.", "# hint: Count the threes.")
    assert f"{TABLE}:1: part/repair_it translates an English text that has changed" in problems(small_project)
    freshness.renew(small_project, ["part/sum.md", "exercises.yml"])
    assert problems(small_project) == ""


def test_a_new_block_does_not_make_other_blocks_outdated(small_project: Path) -> None:
    edit(small_project, "docs/part/sum.md", "## Two uses\n", "## Two uses\n\nA new paragraph.\n")
    page = comparison.read_page(small_project, "part/sum.md")
    assert freshness.outdated_blocks(page, freshness.read_hashes(small_project)["part/sum.md"]) == []
    assert "now: A new paragraph.\n" in problems(small_project)


def test_the_command_lists_outdated_texts_and_renews_their_hashes(
    small_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = ["--root", str(small_project)]
    assert command.main([*root, "i18n/zh/part/sum.md"]) == 0
    edit(small_project, "docs/part/sum.md", "The first use of", "A first use of")
    assert command.main([*root]) == 1
    assert "the English page has changed" in capsys.readouterr().out
    assert command.main([*root, "--renew", "part/sum.md"]) == 0
    with pytest.raises(SystemExit):
        command.main([*root, "part/other.md"])
    assert "no Chinese text 'part/other.md': create" in capsys.readouterr().err
    assert command.main([*root, "docs/part/sum.md"]) == 0
    with pytest.raises(SystemExit):
        command.main([*root, "part/sums.md"])
    assert "no Chinese text 'part/sums.md': did you mean part/sum.md?" in capsys.readouterr().err


CARDS = """---
title: {title}
description: {title}
---

# {title}

``` card
snippet: part/fails.py
page: part/other.md
cause: {cause}
repair: {repair}
```
"""
CARD_FILES = {
    "snippets/part/fails.py": '"""A division by zero."""\n# covers: theory.sum\n\n1 / 0\n#! ZeroDivisionError: division by zero\n',
    "docs/part/other.md": "---\ntitle: Other\n---\n\n# Other\n\n## More\n\nThe divisor is 0. Then write `1` instead. It fits.\n",
    "docs/cards.md": CARDS.format(title="Cards", cause="The divisor", repair="Then write ... It fits."),
    "i18n/zh/cards.md": CARDS.format(title="卡片", cause="除数是 0。", repair="换成 `1`，正合适。"),
}


def test_a_card_without_a_chinese_page_translates_what_the_english_card_quotes(small_project: Path) -> None:
    write_files(small_project, CARD_FILES)
    freshness.renew(small_project, ["cards.md"])
    assert problems(small_project) == ""
    edit(small_project, "i18n/zh/cards.md", "换成 `1`", "换成 `2`")
    assert "i18n/zh/cards.md:12: `repair`: code: only in Chinese: `2`; only in English: `1`" in problems(small_project)
    edit(small_project, "i18n/zh/cards.md", "换成 `2`", "换成 `1`")
    edit(small_project, "docs/part/other.md", "The divisor is 0.", "The divisor is always 0.")
    assert "i18n/zh/cards.md:8: the English page has changed (docs/cards.md:8)" in problems(small_project)


def test_a_card_quotes_the_chinese_page_as_soon_as_there_is_one(small_project: Path) -> None:
    write_files(small_project, CARD_FILES)
    chinese_page = (
        "---\ntitle: 其他\n---\n\n# 其他\n\n## 更多 {#more}\n\n这里的除数是**零**。换成 `1` 吧！正合适。再见。\n"
    )
    write_files(small_project, {"i18n/zh/part/other.md": chinese_page})
    with pytest.raises(InputError, match="card in line 8: zh/part/other.md does not contain '除数是 0。'"):
        comparison.read_page(small_project, "cards.md")
    edit(small_project, "i18n/zh/cards.md", "除数是 0。", "这里的除数")
    edit(small_project, "i18n/zh/cards.md", "换成 `1`，正合适。", "换成 ... 正合适。")
    page = comparison.read_page(small_project, "cards.md")
    assert page.english[1].quotes == {"cause": "The divisor is 0.", "repair": "Then write `1` instead. It fits."}
    assert page.chinese[1].quotes == {"cause": "这里的除数是零。", "repair": "换成 `1` 吧！正合适。"}


def test_html_tags_agree_and_are_not_prose() -> None:
    english = '<button type="button">Print, `<b>`</button>'
    assert list(comparison.text_problems('<button type="button">打印，`<b>`</button>', english)) == []
    (message,) = comparison.text_problems('<button class="x">打印，`<b>`</button>', english)
    assert message.startswith("HTML tags: only in Chinese: <button class=")


def test_blocks_have_kind_line_and_anchor() -> None:
    blocks = parse_blocks(ENGLISH)
    assert [(block.kind, block.line) for block in blocks] == [
        ("heading 1", 8),
        ("paragraph", 10),
        ("heading 2", 14),
        ("numbered item", 16),
        ("numbered item", 17),
        ("fold note", 19),
        ("table", 21),
        ("predict fence", 25),
        ("exercise fence", 34),
    ]
    assert blocks[2].anchor == "two-uses" == parse_blocks(CHINESE)[2].anchor


def test_a_check_in_chinese_differs_only_in_its_messages(small_project: Path) -> None:
    exercise = load(small_project / "exercises/part/repair_it.py", small_project / "exercises")
    in_chinese = sources.in_chinese(exercise, sources.read_table(small_project, "exercises.yml")["part/repair_it"])
    for total, message in ((3, "它还是 3。"), (5, "它是 5，6 才对。")):
        with pytest.raises(AssertionError, match=re.escape(message)):
            exec(in_chinese.check, {"total": total})
    exec(in_chinese.check, {"total": 6})
    assert in_chinese.check.count("\n") == exercise.check.count("\n") and in_chinese.start == exercise.start


# -- the texts of this site


def test_the_chinese_agrees_with_the_english(root: Path) -> None:
    """Check all Chinese texts of this site. An outdated page that is not on the path only causes a warning."""
    hashes = freshness.read_hashes(root)
    names = comparison.names_with_chinese(root)
    assert len(names) >= 2
    assert "\n".join(str(problem) for name in names for problem in comparison.structure_problems(root, name)) == ""
    path = {stop.page for stop in reading_order.path(root / "docs")}
    stale = {name: freshness.freshness_problems(root, name, hashes) for name in names}
    for name, changes in stale.items():
        if changes and name not in path:
            warnings.warn("\n".join(map(str, changes)), stacklevel=1)
    assert "\n".join(str(problem) for name in path & set(names) for problem in stale[name]) == ""


def test_each_message_has_chinese_with_the_same_fields(root: Path) -> None:
    table = sources.read_table(root, sources.INTERFACE)
    file_by_text = messages(root)
    assert len(file_by_text) >= 250
    missing_texts = {text: file for text, file in file_by_text.items() if text not in table}
    assert missing_texts == {}, "add the Chinese of each text to i18n/zh/interface.yml"

    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{\w+", text))

    assert {text for text, in_chinese in table.items() if not fields(in_chinese) <= fields(text)} == set()
    with speaking(table):
        assert say("{count} hint", "{count} hints", count=1) == "1 条提示"
    assert say("{count} hint", "{count} hints", count=1) == "1 hint"


def test_messages_have_spaces_and_full_width_punctuation(root: Path) -> None:
    """Check interface.yml, which test_the_chinese_agrees_with_the_english omits. A field may stand for code or for Chinese."""
    findings = {}
    for english, text in sources.read_table(root, sources.INTERFACE).items():
        plain = re.sub(r"`[^`]*`", "`x`", re.sub(r"<[^>]*>", "", text))
        fields = sorted(set(re.findall(r"\{[^}]*\}", plain)))
        readings = [plain]
        for field in fields:
            readings = [reading.replace(field, value) for reading in readings for value in ("`x`", "中")]
        if all(list(chinese.problems(reading)) for reading in readings):
            findings[english] = text
    assert findings == {}


@pytest.mark.parametrize("answer", ["报错", "会报错", "出错", "错误", "异常"])
def test_an_error_can_be_answered_in_chinese(answer: str) -> None:
    assert is_error(answer, "RuntimeError")
    assert not is_error("都不报错", "RuntimeError")


# -- a build


def test_a_page_is_built_in_chinese(
    small_project: Path, root: Path, mkdocs_here: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small_project)
    add_theme(small_project, root)
    shutil.copy(root / "i18n/zh/interface.yml", small_project / "i18n/zh/interface.yml")
    edit(small_project, "docs/part/sum.md", "2. The second one.", "2. The second use.")
    site = tmp_path / "site"
    completed = mkdocs_here(small_project, site)
    assert completed.returncode == 0, completed.stderr
    page, english = (site / name for name in ("zh/part/sum.html", "part/sum.html"))
    html, english_html = (path.read_text(encoding="utf-8") for path in (page, english))
    assert '<html lang="zh-Hans"' in html and '<html lang="en"' in english_html
    for text, chinese_address, english_address in (
        (html, "sum.html", "../../part/sum.html"),
        (english_html, "../zh/part/sum.html", "sum.html"),
    ):
        assert f'<link rel="alternate" hreflang="zh-Hans" href="{chinese_address}">' in text
        assert f'<link rel="alternate" hreflang="en" href="{english_address}">' in text
    assert 'href="../../part/sum.html" rel="alternate" data-language="en"' in html
    assert 'href="../zh/part/sum.html" rel="alternate" data-language="zh-Hans"' in english_html
    # The page: a section, a link to a page without Chinese, a term, and fences.
    assert '<h2 id="two-uses">用了两次' in html
    assert '<a href="../../part/other.html#more" hreflang="en">另一页</a>' in html
    assert '<span aria-describedby="term-叶子张量" class="term" tabindex="0">叶子张量' in html
    assert '<span class="snippet-title">二加二</span>' in html and '<span class="predict-label">预测</span>' in html
    assert "<span>报错</span>" in html and "<span><code>5</code></span>" in html and "<span>什么也不打印</span>" in html
    assert "再数一遍。" in html and "它还是 3。" in html and "Python 不认识 \\u003ccode>six\\u003c/code>。" in html
    assert "第 1 页，共 1 页 · 3 分钟" in html
    # A reader's answers count in both editions: ids and the order of choices are those of the English page.
    for pattern in (r'data-practice="([^"]+)"', r'"choice":(\d+)'):
        assert re.findall(pattern, html) == re.findall(pattern, english_html) != []
    # Only the block whose English has changed is marked as outdated.
    assert re.findall(r'<li>([^<]*)<span class="outdated">英文原文已有改动', html) == ["第二次。 "]
    assert html.count("英文原文已有改动") == 1
    # A page without Chinese has a note for readers of the Chinese edition, and no second copy.
    other = (site / "part/other.html").read_text(encoding="utf-8")
    assert "data-no-chinese" in other and 'href="../zh/index.html"' in other and "data-no-chinese" not in english_html
    assert sorted(path.relative_to(site).as_posix() for path in (site / "zh").rglob("*.html")) == [
        "zh/index.html",
        "zh/part/sum.html",
    ]
    # The search indexes of both editions.
    indexes = [(site / "assets" / f"search_index{edition}.js").read_text(encoding="utf-8") for edition in ("", "_zh")]
    assert '"zh/part/sum.html"' not in indexes[0] and '"part/sum.html"' in indexes[0]
    assert (
        '"zh/part/sum.html"' in indexes[1] and '"part/sum.html"' not in indexes[1] and '"part/other.html"' in indexes[1]
    )


def test_a_chinese_name_of_a_missing_region_is_reported(small_project: Path) -> None:
    edit(
        small_project,
        "snippets/part/sum.py",
        "print(2 + 2)\n#> 4\n",
        "# region: two\nprint(2 + 2)\n#> 4\n# endregion\n",
    )
    edit(small_project, "i18n/zh/snippets.yml", '二加二"\n', '二加二"\npart/sum#two: "二"\n')
    freshness.renew(small_project, ["snippets.yml"])
    assert problems(small_project) == ""
    edit(small_project, "i18n/zh/snippets.yml", "#two", "#three")
    assert "part/sum#three" in problems(small_project)


def test_a_project_without_chinese_has_no_chinese_edition(
    small_project: Path, root: Path, mkdocs_here: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small_project)
    add_theme(small_project, root)
    shutil.rmtree(small_project / "i18n")
    completed = mkdocs_here(small_project, tmp_path / "site")
    assert completed.returncode == 0, completed.stderr
    assert not (tmp_path / "site/zh").exists() and not (tmp_path / "site/assets/search_index_zh.js").exists()
    html = (tmp_path / "site/part/sum.html").read_text(encoding="utf-8")
    assert "data-language" not in html and "data-no-chinese" not in html


def test_a_chinese_page_is_built_again_after_each_change(
    small_project: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small_project)
    add_theme(small_project, root)
    live = LiveSite(small_project, tmp_path / "out")
    page = tmp_path / "out/zh/part/sum.html"
    live.update()
    assert live.make("zh/part/sum.html") and "第二次。" in page.read_text(encoding="utf-8")
    changes = (
        (PAGE, "第二次。", "第二次用到。", "第二次用到。"),
        ("i18n/zh/interface.yml", "看答案", "答案在此", "<summary>答案在此</summary>"),
        (TABLE, "再数一遍。", "数一数。", "<li>数一数。</li>"),
        ("docs/part/sum.md", "2. The second one.", "2. The second use.", "英文原文已有改动"),
    )
    for file, old, new, text in changes:
        edit(small_project, file, old, new)
        live.update()
        live.make("zh/part/sum.html")
        assert text in page.read_text(encoding="utf-8"), file


def test_a_chinese_page_without_an_english_page_is_reported(small_project: Path) -> None:
    (small_project / "docs/part/sum.md").rename(small_project / "docs/part/total.md")
    (problem,) = comparison.structure_problems(small_project, "part/sum.md")
    assert str(problem).startswith(f"{PAGE}:1: no English page docs/part/sum.md\n    move it")
    assert freshness.freshness_problems(small_project, "part/sum.md", {}) == []


def test_a_fence_without_chinese_does_not_change_the_answers_of_other_fences(
    small_project: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small_project)
    add_theme(small_project, root)
    edit(small_project, "docs/part/sum.md", "``` predict", "``` snippet\nfile: part/sum.py\n```\n\n``` predict")
    live = LiveSite(small_project, tmp_path / "out")
    live.update()
    pages = []
    for name in ("part/sum.html", "zh/part/sum.html"):
        live.make(name)
        pages.append((tmp_path / "out" / name).read_text(encoding="utf-8"))
    choices, chinese_choices = (re.findall(r'"choice":(\d+)', page) for page in pages)
    assert choices == chinese_choices != []
