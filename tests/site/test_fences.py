"""Each fence renders the item that it names, and each bad fence is an error with page, line and remedy."""

from __future__ import annotations

import hashlib
import html as escapes
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import markdown
import pytest
from snippetcheck.engines import Engine

from gradnotes import templating
from gradnotes.evidence import provenance
from gradnotes.evidence.evidence_file import Evidence
from gradnotes.fences import errata, registry
from gradnotes.fences.extension import invalidate
from gradnotes.markup import Page
from gradnotes.problems import PageError, RendererError
from gradnotes.project import Project
from tests.files import write_files

SNIPPET = '''"""Two and two."""
# covers: theory.two-phases

import torch

# region: sum
print(2 + 2)
#> 4
# endregion

torch.ones(2).foo
#! AttributeError: 'Tensor' object has no attribute 'foo'
'''
ERRATA = """- id: theory.two-phases
  corrects: [theory.two-phases]
  at: ["2:5-9"]
  tier: silent
  note: That `2 + 2` is 5.
  now: It is 4.
  proof: part/sum.py
  zh:
    note: "`2 + 2` 等于 5。"
    now: 等于 4。
"""
INVENTORY = """- id: theory.two-phases
  at: ["2:5-9"]
  en: That `2 + 2` is 5.
  zh: 二加二等于五。
- id: theory.later
  at: ["2:7", "0:1"]
  en: Another.
  section: part/index.md#sums
"""
ENGINE = '''from book_engine.core import run


def twice(x):
    """Two times x."""
    return 2 * x
'''
FENCE = "``` {info}\n{body}\n```\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Create a project with one part, two snippets with the same program, an erratum, an inventory and an engine."""
    files = {
        "pyproject.toml": "[tool.snippetcheck.engines.torch]\n[tool.snippetcheck.engines.reference_impl]\n",
        "docs/index.md": "---\ntitle: Home\nparts: [part]\n---\n\nText.\n",
        "docs/part/index.md": "---\ntitle: Part\npages: []\n---\n\n## Sums\n\n" + snippet_fence("part/sum.py"),
        "docs/errata/part.yml": ERRATA,
        "docs/inventory.yml": INVENTORY,
        "docs/evidence/speed.json": '{"rows": [{"name": "a", "ratio": 1.25}]}',
        "docs/evidence/numbers.json": "[1, 2]",
        "snippets/part/sum.py": SNIPPET,
        "snippets/part/alone.py": SNIPPET.replace("and two", "and two, alone"),
        "book_engine/__init__.py": ENGINE,
        "book_engine/core.py": "def run():\n    return 1\n",
    }
    write_files(tmp_path, files)
    return tmp_path


def snippet_fence(file: str) -> str:
    """Return a fence that embeds a snippet."""
    return FENCE.format(info="snippet", body=f"file: {file}")


def render(book: Path, text: str) -> str:
    """Return the HTML of Markdown text that may contain fences of the project."""
    extensions = ["admonition", "attr_list", "pymdownx.tabbed", "gradnotes.fences"]
    return markdown.markdown(text, extensions=extensions, extension_configs={"gradnotes.fences": {"root": str(book)}})


def test_snippet_shows_title_program_and_output(book: Path) -> None:
    html = render(book, snippet_fence("part/sum.py"))
    assert '<span class="snippet-title">Two and two.</span>' in html
    assert 'data-word="prints"><i>#&gt;</i> 4</span>' in html
    assert 'data-word="raises"><i>#!</i> AttributeError: &#x27;Tensor&#x27;' in html
    assert "# covers" not in re.sub(r'data-source="[^"]*"', "", html)
    assert "# region" not in re.sub(r'data-source="[^"]*"', "", html)
    assert 'href="snippets/part/sum.py" download="sum.py"' in html


def test_a_line_with_wildcards_keeps_its_question_mark(book: Path) -> None:
    path = book / "snippets/part/sum.py"
    path.write_text(SNIPPET.replace("print(2 + 2)\n#> 4", "print('a\\nin 3 s ...')\n#> a\n#>? in ... s ..."))
    html = re.sub(r'data-source="[^"]*"', "", render(book, snippet_fence("part/sum.py")))
    lines = '<i>#&gt;</i> a\n<i title="... stands for text that differs from run to run, or is left out">#&gt;?</i> in ... s ...'
    assert f'<span class="x x-prints" data-word="prints">{lines}</span>' in html


def test_copying_a_region_copies_the_whole_file(book: Path) -> None:
    html = render(book, FENCE.format(info="snippet", body="file: part/sum.py\nregion: sum"))
    source = re.search(r'data-source="([^"]*)"', html)
    assert source is not None
    assert escapes.unescape(source[1]) == SNIPPET
    assert "AttributeError" not in html.replace(source[0], "")


def test_without_evidence_the_page_says_that_no_run_is_recorded(book: Path) -> None:
    assert "This example has no recorded run." in render(book, snippet_fence("part/sum.py"))


def test_engine_source_is_found_by_symbol(book: Path) -> None:
    html = render(book, FENCE.format(info="engine", body="symbol: book_engine.twice"))
    assert "book_engine/__init__.py:4" in html and "Two times x." in html


def test_a_reexported_symbol_leads_to_its_definition(book: Path) -> None:
    assert "core.py:1" in render(book, FENCE.format(info="engine", body="symbol: book_engine.run"))


def test_a_page_ends_with_the_corrections_that_it_proves(book: Path) -> None:
    html = errata.render_page_corrections(Project(book), Page("part/index.md", set()))
    assert html.startswith(
        '<details class="corrections" data-unsearched><summary>For readers of the notes: 1 correction<'
    )
    chinese = '<span class="in-chinese" lang="zh-Hans" data-unsearched>{}</span></dd>'
    assert f"That <code>2 + 2</code> is 5.{chinese.format('<code>2 + 2</code> 等于 5。')}" in html
    assert f"It is 4.{chinese.format('等于 4。')}" in html and 'href="#snippet-part-sum"' in html
    assert '<a href="../notes/autograd.html#idea-theory.two-phases">Note 2, lines 5–9</a>' in html
    assert errata.render_page_corrections(Project(book), Page("other.md", set())) == ""


def test_errata_are_counted_and_each_part_is_linked(book: Path) -> None:
    second_entry = ERRATA.replace("id: theory.two-phases", "id: another").replace(
        "tier: silent", "tier: breaks\n  instead: 2 + 2"
    )
    (book / "docs/errata/part.yml").write_text(ERRATA + second_entry)
    html = render(book, FENCE.format(info="errata", body=""))
    assert '<a href="#part-part">Part</a>' in html and 'id="part-part"' in html
    assert "It is 4. Today: <code>2 + 2</code>." in html and "等于 4。现在写：<code>2 + 2</code>。</span>" in html
    assert html.count("data-unsearched><code>2 + 2</code> 等于 5。</span></td>") == 2
    total_row = re.search(r">All</td>(.*?)</tr>", html)
    assert total_row and re.findall(r">(\d)<", total_row[1]) == ["1", "1", "0"]


def test_the_example_of_an_idea_is_the_one_in_its_section(book: Path) -> None:
    """Cover an idea by examples in two sections. Its link must lead to the example in the section that teaches the idea."""
    for name in ("above", "within"):
        (book / f"snippets/part/{name}.py").write_text(SNIPPET.replace("Two and two", name.title()))
    page = f"\n## First\n\n{snippet_fence('part/above.py')}\n## Second\n\n{snippet_fence('part/within.py')}"
    (book / "docs/part/other.md").write_text(f"---\ntitle: Other\n---\n{page}")
    start = (book / "docs/part/index.md").read_text()
    (book / "docs/part/index.md").write_text(start.replace("pages: []", "pages: [other]"))
    (book / "docs/errata/part.yml").write_text(ERRATA.replace("tier: silent", "tier: breaks\n  instead: 2 + 2"))
    fence = FENCE.format(info="ideas", body="at: 2:1-6")
    assert "Two and two." in render(book, fence)
    for section, example in {"second": "Within", "first": "Above"}.items():
        (book / "docs/inventory.yml").write_text(
            f"{INVENTORY.split('- id: theory.later')[0]}  section: part/other.md#{section}\n"
        )
        invalidate()
        html = render(book, fence)
        assert f'">{example}.</a>' in html and "等于 4。现在写：<code>2 + 2</code>。<a " in html
        assert "It is 4. Today: <code>2 + 2</code>." in html


def test_ideas_lead_to_section_example_and_correction(book: Path) -> None:
    html = render(book, FENCE.format(info="ideas", body="at: 2:1-8"))
    first, second = re.findall(r"<li id=.*?</li>", html)
    assert (
        '<p lang="zh-Hans">二加二等于五。</p><p data-unsearched>That <code>2 + 2</code> is 5.</p>' in first
        and "lines 5–9" in first
    )
    assert (
        '<a href="part/index.html#sums">Sums</a> (Part)' in first and 'href="part/index.html#snippet-part-sum"' in first
    )
    assert '<p lang="zh-Hans"><strong>结果错误却不报错。</strong>等于 4。<a href=' in first and "证明</a></p>" in first
    english = "<details><summary>English</summary><p><strong>A wrong result, and no error.</strong> It is 4. <a href="
    assert english in first
    assert 'href="part/index.html#erratum-theory.two-phases"' in first and "idea-correction" not in second
    assert '<a href="part/index.html#sums">Sums</a>' in second and "line 7<" in second
    assert "theory.later" in render(book, FENCE.format(info="ideas", body="at: 0:1-2"))


def test_a_passage_may_word_an_idea_differently(book: Path) -> None:
    passages = '  passages:\n    "0:1": {en: Less., zh: 少一些。}\n'
    (book / "docs/inventory.yml").write_text(INVENTORY + passages)
    html = render(book, FENCE.format(info="ideas", body="at: 0:1-2"))
    assert '<p lang="zh-Hans">少一些。</p><p data-unsearched>Less.</p>' in html and "Another." not in html
    html = render(book, FENCE.format(info="ideas", body="at: 2:1-8"))
    assert "<p data-unsearched>Another.</p>" in html and "Less." not in html


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"0:1":', '"0:2":', r"inventory.yml:5: theory.later: `passages` has '0:2', which is not in `at`"),
        ('"0:1":', '"9:2":', r"inventory.yml:5: theory.later: '9:2' is not a passage"),
        (
            ", zh: 少一些。",
            "",
            r"inventory.yml:5: theory.later: '0:1' of `passages` must have the texts `en` and `zh`, got \{'en': 'Less.'\}",
        ),
        (
            "en: Less.",
            "en: 5",
            r"inventory.yml:5: theory.later: '0:1' of `passages` must have the texts `en` and `zh`, got \{'en': 5",
        ),
        (
            '\n    "0:1": {en: Less., zh: 少一些。}',
            " 0:1",
            r"inventory.yml:5: theory.later: `passages` must map each passage to en and zh, got '0:1'",
        ),
    ],
)
def test_a_malformed_passage_is_reported(book: Path, old: str, new: str, message: str) -> None:
    passages = '  passages:\n    "0:1": {en: Less., zh: 少一些。}\n'
    assert old in passages
    (book / "docs/inventory.yml").write_text(INVENTORY + passages.replace(old, new))
    with pytest.raises(PageError, match=message):
        render(book, FENCE.format(info="ideas", body="at: 0:1-2"))


def test_an_idea_leads_to_the_page_that_teaches_it_and_not_to_a_checkpoint_before_it(book: Path) -> None:
    (book / "snippets/part/asked.py").write_text((book / "snippets/part/sum.py").read_text())
    (book / "docs/part/index.md").write_text("---\ntitle: Part\npages: [checkpoint, later]\n---\n\nText.\n")
    for name, title, file in (("checkpoint", "Asked", "part/asked.py"), ("later", "Told", "part/sum.py")):
        (book / f"docs/part/{name}.md").write_text(f"---\ntitle: {name}\n---\n\n## {title}\n\n{snippet_fence(file)}")
    assert '<a href="part/later.html#told">Told</a> (later)' in render(
        book, FENCE.format(info="ideas", body="at: 2:5-6")
    )


def test_an_idea_that_a_fold_teaches_leads_to_the_fold(book: Path) -> None:
    page = book / "docs/part/index.md"
    fence_in_fold = "".join(f"    {line}".rstrip() + "\n" for line in snippet_fence("part/sum.py").splitlines())
    page.write_text(
        f'---\ntitle: Part\npages: []\n---\n\n## Sums\n\n## Practice\n\n??? note "More: a sum"\n\n    Text.\n\n{fence_in_fold}'
    )
    assert '<a href="part/index.html#snippet-part-sum">A sum</a> (Part)' in render(
        book, FENCE.format(info="ideas", body="at: 2:1-8")
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("zh: ", "zz: ", "unknown key 'zz' of theory.two-phases"),
        ("  en: Another.\n", "", "entry theory.later is incomplete"),
        ("2:5-9", "5:1", "theory.two-phases: '5:1' is not a passage of a note"),
        ("#sums", "#sum", "no section 'sum' on part/index.md for theory.later"),
        ("part/index.md#", "part/idnex.md#", "no page 'part/idnex.md' for theory.later"),
        ("  section: part/index.md#sums\n", "", "no page teaches theory.later"),
    ],
)
def test_a_mistake_in_the_inventory_is_reported(book: Path, old: str, new: str, message: str) -> None:
    (book / "docs/inventory.yml").write_text(INVENTORY.replace(old, new))
    with pytest.raises(PageError, match=message):
        render(book, FENCE.format(info="ideas", body="at: 2:1-8"))


def test_errors_are_listed_by_type(book: Path) -> None:
    html = render(book, FENCE.format(info="errors", body=""))
    assert '<details class="long-table" id="AttributeError"><summary>AttributeError: 1</summary>' in html
    assert "&#x27;Tensor&#x27; object has no attribute &#x27;foo&#x27;" in html


def test_an_evidence_fence_is_rendered_as_a_table(book: Path) -> None:
    body = "file: speed.json\nrows: rows\ncolumns: name as Name, ratio as Ratio"
    html = render(book, FENCE.format(info="evidence", body=body))
    assert '<th scope="col" class="number">Ratio</th>' in html and ">1.25<" in html


def test_an_evidence_fence_can_select_rows(book: Path) -> None:
    (book / "docs/evidence/some.json").write_text('[{"op": "add", "ok": true}, {"op": "sub", "ok": false}]')
    html = render(book, FENCE.format(info="evidence", body="file: some.json\ncolumns: op\nwhere: ok=no"))
    assert "sub" in html and "add" not in html


def test_a_long_evidence_table_is_folded(book: Path) -> None:
    rows = [{"op": f"op{n}", "ok": n > 2} for n in range(70)]
    (book / "docs/evidence/long.json").write_text(json.dumps(rows))
    html = render(book, FENCE.format(info="evidence", body="file: long.json\ncolumns: op, ok as Right"))
    assert "<summary>All 70 rows. Right: 67</summary>" in html and ">op69<" in html


def test_an_evidence_table_without_rows_is_a_sentence(book: Path) -> None:
    (book / "docs/evidence/none.json").write_text("[]")
    html = render(book, FENCE.format(info="evidence", body="file: none.json\ncolumns: op"))
    assert "<p>The list is empty.</p>" in html and "<table" not in html


def test_missing_evidence_is_replaced_by_the_text_of_the_fence(book: Path) -> None:
    body = "file: later.json\ncolumns: a\nmissing: No run has written it yet."
    assert "No run has written it yet." in render(book, FENCE.format(info="evidence", body=body))


def test_an_evidence_fence_counts_recorded_runs(book: Path) -> None:
    sha256 = hashlib.sha256(SNIPPET.encode()).hexdigest()
    write_evidence(book, sha256, torch="passed", reference_impl="failed")
    body = "file: runs\nrows: engines\ncolumns: engine, version, passed, failed, no record"
    text = re.sub(r"<[^>]+>", " ", render(book, FENCE.format(info="evidence", body=body)))
    assert " ".join(text.split()).endswith("torch torch 2.13.0 1 0 0 reference_impl – 0 1 0")


def test_a_second_region_is_titled_as_the_same_program(book: Path) -> None:
    path = book / "snippets/part/parts.py"
    path.write_text(
        '"""Two sums."""\n\n# region: one\nprint(1)\n#> 1\n# endregion\n# region: on-both\nprint(2)\n#> 2\n# endregion\n'
    )
    body = "file: part/parts.py\nregion: {}"
    html = render(book, "\n".join(FENCE.format(info="snippet", body=body.format(n)) + "\n" for n in ("one", "on-both")))
    titles = re.findall(r'class="snippet-title">([^<]*)<', html)
    assert titles == ["Two sums.", "The same program: on both"]
    assert 'id="snippet-part-parts"' in html and 'id="snippet-part-parts-on-both"' in html


def test_an_illustrative_block_shows_its_reason(book: Path) -> None:
    html = render(book, '``` {.text illustrative="the shape of a node"}\n<node>\n```\n')
    assert "<figcaption>the shape of a node" in html and "&lt;node&gt;" in html
    html = render(book, '``` {.console illustrative="it changes the machine"}\n$ echo 1\n1\n```\n')
    text = re.sub(r"<[^>]+>", "", html)
    assert "Not run: it changes the machine" in text and "$ echo 1\n1" in text


def test_a_console_without_output_keeps_its_command(book: Path) -> None:
    html = render(book, '``` {.console illustrative="it changes the machine"}\n$ pip install x\n```\n')
    assert "$ pip install x" in re.sub(r"<[^>]+>", "", html)


def test_fences_inside_admonition_list_and_tab_are_rendered(book: Path) -> None:
    fence = snippet_fence("part/sum.py")
    nested_fence = "".join(f"    {line}\n" for line in fence.splitlines())
    text = f'!!! note\n\n{nested_fence}\n1. One\n\n{nested_fence}\n\n=== "Tab"\n\n{nested_fence}\n'
    html = render(book, text)
    assert html.count('<figure class="snippet"') == 3
    assert {'id="snippet-part-sum"', 'id="snippet-part-sum-2"', 'id="snippet-part-sum-3"'} <= set(
        re.findall(r'id="[^"]*"', html)
    )


def add_theme(book: Path, root: Path) -> None:
    """Add the theme of this site and everything else that MkDocs needs to build the project."""
    shutil.copytree(root / "overrides", book / "overrides", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "docs/assets", book / "docs/assets")
    shutil.copy(root / "mkdocs.yml", book)
    for folder in ("reference_impl", "exercises"):
        (book / folder).mkdir(exist_ok=True)


BAD = {
    "missing file": ("snippet", "file: part/sun.py", "no snippet 'part/sun.py'", "did you mean part/sum.py?"),
    "outside": (
        "snippet",
        "file: ../docs/index.md",
        "no snippet '../docs/index.md'",
        "relative to snippets/",
    ),
    "folder": ("snippet", "file: part", "no snippet 'part'", "did you mean part/sum.py?"),
    "region": ("snippet", "file: part/sum.py\nregion: sums", "no region 'sums'", "did you mean sum?"),
    "key": ("snippet", "fille: part/sum.py", "unknown key 'fille'", "takes `file:`"),
    "no key": ("snippet", "part/sum.py", "not a `key: value` line", "takes `file:`"),
    "empty": ("snippet", "", "without `file:`", "takes `file:`"),
    "symbol": ("engine", "symbol: book_engine.twize", "no 'twize' in book_engine", "did you mean twice?"),
    "module": ("engine", "symbol: bok_engine.twice", "no module for symbol", "did you mean book_engine?"),
    "passage": ("ideas", "at: 2:9-5", "not a passage of a note", "2:141-150"),
    "evidence": ("evidence", "file: sped.json\ncolumns: a", "no evidence file", "did you mean speed.json?"),
    "column": (
        "evidence",
        "file: speed.json\nrows: rows\ncolumns: ratioo",
        "no column",
        "did you mean ratio?",
    ),
    "rows that are numbers": (
        "evidence",
        "file: numbers.json\ncolumns: a",
        "the rows of numbers.json must be objects",
        "set `rows:` to the path of a list of objects",
    ),
    "rows": ("evidence", "file: speed.json\nrows: rws\ncolumns: a", "no key 'rws' in speed.json", "did you mean rows?"),
    "module of the engine": ("module", "file: book_engine/cor.py", "no module 'book_engine/cor.py'", "name a file"),
    "exercise": (
        "exercise",
        "file: part/a.py",
        "no exercise 'part/a.py'",
        "create it, or name it relative to exercises/",
    ),
    "plain": ("python", "print(1)", "a fence that nothing checks", "embed a file"),
    "reason": ('{.text illustrative=""}', "x", "a fence that nothing checks", "embed a file"),
}

RUNS = "file: runs\nrows: engines\ncolumns: engine as Engine, passed as Passed"


@pytest.mark.parametrize("case", BAD)
def test_a_bad_fence_is_an_error_with_its_line_and_a_remedy(book: Path, case: str) -> None:
    info, body, message, remedy = BAD[case]
    text = "Some text.\n\n" + FENCE.format(info=info, body=body)
    with pytest.raises(PageError) as caught:
        render(book, text)
    assert len(caught.value.problems) == 1
    problem = caught.value.problems[0]
    assert message in problem.message and remedy in problem.remedy, problem
    assert problem.line in (3, 4), problem


def test_steps_of_an_example_that_the_engine_does_not_run_are_an_error(book: Path) -> None:
    program = '"""Alone."""\n# engines: torch -- only it has this\n\nprint(1)\n#> 1\n'
    (book / "snippets/part/judge.py").write_text(program)
    with pytest.raises(PageError, match=r"page.md:1: cannot record part/judge.py"):
        render(book, FENCE.format(info="steps", body="file: part/judge.py"))


def test_a_missing_snippet_is_reported_only_where_a_fence_names_it(book: Path) -> None:
    """Check that `verdict` and `evidence` fences, which count the examples of all pages, do not report it."""
    page = book / "docs/part/index.md"
    page.write_text(page.read_text() + snippet_fence("part/gone.py"))
    html = render(book, FENCE.format(info="verdict", body="") + "\n" + FENCE.format(info="evidence", body=RUNS))
    assert "0 of 2 runs of examples passed" in html


def test_malformed_snippet_names_its_own_line(book: Path) -> None:
    (book / "snippets/part/sum.py").write_text(SNIPPET.replace("covers", "cover"))
    with pytest.raises(PageError, match=r"snippets/part/sum.py:2: unknown manifest key 'cover'"):
        render(book, snippet_fence("part/sum.py"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tier: silent", "tier: slient", r"errata/part.yml:1: unknown tier 'slient'"),
        ("  now:", "  noww:", r"errata/part.yml:6: unknown key 'noww'"),
        ("  now: It is 4.\n", "", r"errata/part.yml:1: the entry has no 'now'"),
        ("part/sum.py", "part/alone.py", r"errata/part.yml:1: no page embeds the proof part/alone.py"),
    ],
)
def test_malformed_erratum_names_its_own_line(book: Path, old: str, new: str, message: str) -> None:
    (book / "docs/errata/part.yml").write_text(ERRATA.replace(old, new))
    with pytest.raises(PageError, match=message):
        render(book, FENCE.format(info="errata", body=""))


def test_strict_build_lists_every_problem_and_fails(book: Path, root: Path, mkdocs: Callable, tmp_path: Path) -> None:
    bad = "".join(FENCE.format(info=info, body=body) + "\n" for info, body, _, _ in BAD.values())
    page = "---\ntitle: Bad\n---\n\n" + bad
    (book / "docs/part/bad.md").write_text(page)
    (book / "docs/part/index.md").write_text("---\ntitle: Part\npages: [bad]\n---\n\n" + snippet_fence("part/sum.py"))
    add_theme(book, root)
    completed = mkdocs(book, tmp_path / "out")
    assert completed.returncode != 0
    for number, (_, _, message, _) in enumerate(BAD.values()):
        assert message in completed.stderr, number
    lines = [int(n) for n in re.findall(r"part/bad\.md:(\d+): ", completed.stderr)]
    assert len(lines) == len(BAD) and lines == sorted(lines)
    opening = [n for n, line in enumerate(page.splitlines(), 1) if re.match(r"```.", line)]
    assert all(min(abs(n - o) for o in opening) <= 1 for n in lines)


@pytest.mark.parametrize("target", ["build", "publish"])
def test_the_build_command_of_make_is_strict(book: Path, root: Path, tmp_path: Path, target: str) -> None:
    """Check that the command in the Makefile fails if a page has a bad fence.

    With `--quiet`, MkDocs would count no warnings and succeed.
    """
    (book / "docs/part/index.md").write_text("---\ntitle: Part\npages: []\n---\n\n" + snippet_fence("part/sun.py"))
    add_theme(book, root)
    commands = subprocess.run(["make", "-n", target], cwd=root, capture_output=True, text=True, check=True).stdout
    (command,) = [line for line in commands.splitlines() if "site.build" in line]
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'harness/src'}"}
    whole = [sys.executable, *shlex.split(command)[1:]]
    completed = subprocess.run(whole, cwd=book, env=environment, capture_output=True, text=True)
    assert completed.returncode != 0 and "no snippet 'part/sun.py'" in completed.stderr


def test_strict_build_succeeds_without_bad_fences(book: Path, root: Path, mkdocs: Callable, tmp_path: Path) -> None:
    """Check that the project builds, so that test_strict_build_lists_every_problem_and_fails fails only because of bad fences."""
    add_theme(book, root)
    completed = mkdocs(book, tmp_path / "out")
    assert completed.returncode == 0, completed.stderr


def write_evidence(book: Path, sha256: str, **verdicts: str) -> None:
    """Write evidence for `part/sum.py` with the hash `sha256` of the snippet, the current fingerprints and a verdict per engine."""
    (book / "pyproject.toml").write_text(
        "[tool.snippetcheck.engines.torch]\n[tool.snippetcheck.engines.reference_impl]\n"
    )
    record = Evidence("2026-02-01T12:00:00+00:00", True, versions={"torch": "2.13.0+cpu", "numpy": "2.4.6"})
    for engine, verdict in verdicts.items():
        fingerprint = provenance.fingerprint_engine(Engine(engine))
        record.note("part/sum.py", engine, verdict, sha256, 0.1, "2026-01-31T12:00:00+00:00", fingerprint)
    record.write(book / ".cache/evidence.json")


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (
            {"torch": "passed", "reference_impl": "passed"},
            "Ran on torch 2.13.0 and on reference_impl with NumPy 2.4.6, 2026-01-31.",
        ),
        (
            {"torch": "passed", "reference_impl": "failed"},
            "Ran on torch 2.13.0, 2026-01-31. Failed on reference_impl with NumPy 2.4.6.",
        ),
        ({"torch": "passed"}, "Ran on torch 2.13.0, 2026-01-31. Not run on reference_impl."),
    ],
)
def test_the_status_line_lists_engines_versions_and_dates(book: Path, verdicts: dict[str, str], sentence: str) -> None:
    write_evidence(book, hashlib.sha256(SNIPPET.encode()).hexdigest(), **verdicts)
    assert sentence in render(book, snippet_fence("part/sum.py"))


def test_evidence_of_another_version_of_the_snippet_is_not_used(book: Path) -> None:
    write_evidence(book, "0" * 64, torch="passed", reference_impl="passed")
    html = render(book, snippet_fence("part/sum.py"))
    assert "has changed since its last recorded run" in html and "Ran on" not in html


def test_a_fence_needs_no_blank_lines_around_it(book: Path) -> None:
    """Check that a fence next to text, in a list item and in a tab becomes a block."""
    for before, after in (("Text.\n", "More."), ("- Text.\n", ""), ('=== "Tab"\n', "")):
        indent = "    " if after == "" else ""
        fence = "".join(indent + line for line in snippet_fence("part/sum.py").splitlines(keepends=True))
        html = render(book, f"{before}{fence}{after}")
        assert html.count('class="snippet"') == 1 and "<p><figure" not in html and "\n<figure" in html, html


def test_a_fence_that_is_indented_like_code_or_in_a_comment_is_reported(book: Path) -> None:
    """Check fences that Markdown would show as code, or would not show."""
    fence = snippet_fence("part/sum.py")
    indented_fence = "".join(f"    {line}" for line in fence.splitlines(keepends=True))
    for text, message in (
        (indented_fence, "a fence that is indented like code"),
        (f"<!--\n{fence}-->\n", "HTML comment"),
    ):
        with pytest.raises(PageError, match=f"^page.md:[34]: .*{message}"):
            render(book, f"Text.\n\n{text}")


def test_tabs_and_blank_lines_do_not_shift_reported_lines(book: Path) -> None:
    """Check the line number of a problem, which counts the front matter. Python-Markdown replaces tabs and blank lines early."""
    page = f"---\ntitle: Part\n---\n\nA\ttab.\n   \n{snippet_fence('part/sun.py')}"
    (book / "docs/part/index.md").write_text(page)
    converter = markdown.Markdown(
        extensions=["gradnotes.fences"], extension_configs={"gradnotes.fences": {"root": str(book)}}
    )
    relative_path = SimpleNamespace(file=SimpleNamespace(src_uri="part/index.md"), run=lambda root: None)
    converter.treeprocessors.register(relative_path, "relpath", 0)  # type: ignore[arg-type]  # the page, as MkDocs provides it
    with pytest.raises(PageError, match=r"^part/index.md:7: no snippet 'part/sun.py'"):
        converter.convert(page.partition("\n---\n")[2])


def test_an_error_of_a_renderer_is_raised_with_its_location(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that an unexpected exception is raised with the page and the line of the fence."""

    def raise_key_error(*_: object) -> str:
        raise KeyError("gone")

    monkeypatch.setitem(registry.FENCE_RENDERERS, "snippet", raise_key_error)
    with pytest.raises(RendererError, match=r"page.md:1: KeyError\('gone'\)"):
        render(book, snippet_fence("part/sum.py"))


def test_a_file_that_disappears_during_a_build_is_reported(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a missing file in a renderer: an editor that saves a file may delete it for a moment."""

    def read_deleted_file(*_: object) -> str:
        return (book / "snippets/part/gone.py").read_text()

    monkeypatch.setitem(registry.FENCE_RENDERERS, "snippet", read_deleted_file)
    with pytest.raises(
        PageError, match="page.md:1: gone.py cannot be read: No such file or directory\n    save it again"
    ):
        render(book, snippet_fence("part/sum.py"))


def test_a_missing_template_is_reported(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.FENCE_RENDERERS, "snippet", lambda *_: templating.render("gone"))
    with pytest.raises(PageError, match="page.md:1: no template 'gone.html'\n    create it in gradnotes/templates/"):
        render(book, snippet_fence("part/sum.py"))


def test_examples_on_other_engines_have_no_run_button(book: Path) -> None:
    """Render examples of a project whose engines are not those of this site."""
    (book / "pyproject.toml").write_text("[tool.snippetcheck.engines.numpy]\n[tool.snippetcheck.engines.plain]\n")
    alone = book / "snippets/part/alone.py"
    alone.write_text(alone.read_text().replace('alone."""\n', 'alone."""\n# engines: numpy -- it is about NumPy\n'))
    for name in ("part/sum.py", "part/alone.py"):
        html = render(book, snippet_fence(name))
        assert "data-copy" in html and "data-run" not in html
