"""The notebook of a page contains what the page shows, in Markdown that Jupyter, VS Code and GitHub render."""

from __future__ import annotations

import base64
import functools
import html
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import BrowserContext
from snippetcheck.pages import embeds_snippet
from snippetcheck.snippet import excerpt_span

from gradnotes.fences import extension, recorded  # noqa: F401  registers the fence types
from gradnotes.fences.prose import without_links
from gradnotes.notebooks import export
from gradnotes.notebooks.pictures import parse_style_sheet
from gradnotes.notebooks.plain_markdown import Box, Links, code_block, fold, parts, plain
from gradnotes.project import Project
from gradnotes.site import generate
from tests.files import compute_once, write_files

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://example.org/notes/"
CODE = re.compile(r"(?ms)^ *(`{3,})[^\n]*\n.*?^ *\1$|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)|\$\$.*?\$\$|\$[^\s$][^$]*\$")
PICTURE = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">')
# Syntax of this site's Markdown that Jupyter shows as it stands, or that nobody reads.
SITE_SYNTAX = {
    "admonition or fold": r"(?m)^\s*(?:!!!|\?\?\?)",
    "content tab": r"(?m)^\s*===",
    "fence of the site": r"(?m)^ *(?:`{3,}|~{3,})(?! *(?:python|sh|console|text|yaml|toml|rst|markdown)?$)",
    "attribute list": r"\{:?\s*[#.][^}]*\}|\{:[^}]*\}",
    "HTML of the site": r"<(?!/?(?:details|summary|b|i|code|img|span|kbd|sub|sup)\b)/?[a-z][^>]*>",
    "comment": r"<!--",
    "template": r"\{\{|\{%|--8<--",
    "definition of an abbreviation or a footnote": r"(?m)^\*\[|\[\^",
    "indented code": r"(?m)\A {4}|\n\n {4}(?! *(?:[-*+]|\d+\.) )",
}


@functools.cache
def project() -> Project:
    return Project(ROOT, "notebook tests")


Notebooks = Callable[..., dict[str, list[dict[str, Any]]]]


@pytest.fixture(scope="session")
def notebooks(shared_folder: Path) -> Notebooks:
    """Return a function that maps the path of each page that has a notebook to the cells of the notebook.

    Its argument is the address of the published site: SITE, or "" if there is none. The workers of pytest share the notebooks.
    """

    @functools.cache
    def cells_by_page(site: str = SITE) -> dict[str, list[dict[str, Any]]]:
        texts = compute_once(
            shared_folder / ("notebooks-published.json" if site else "notebooks.json"),
            lambda: export.export_notebooks(project(), site),
        )
        return {
            name.removeprefix("notebooks/").removesuffix(".ipynb") + ".md": json.loads(text)["cells"]
            for name, text in texts.items()
        }

    return cells_by_page


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def markdown(cells: list[dict[str, Any]]) -> list[str]:
    """Return the texts of the Markdown cells, with neither code, formulas nor the data of pictures."""
    return [CODE.sub("", PICTURE.sub("<img>", source(c))) for c in cells if c["cell_type"] == "markdown"]


def site_syntax(cells: list[dict[str, Any]]) -> list[str]:
    """Return a message for each place in the cells with Markdown that only this site knows."""
    texts = [PICTURE.sub("<img>", source(cell)) for cell in cells if cell["cell_type"] == "markdown"]
    fences = SITE_SYNTAX["fence of the site"]
    messages = [f"fence: {match[0]}" for text in texts for match in re.finditer(fences, text)]
    for text in markdown(cells):
        for name, pattern in SITE_SYNTAX.items():
            messages += [f"{name}: {match[0]!r} in {text[:80]!r}" for match in re.finditer(pattern, text)]
    return messages


def link_targets(cells: list[dict[str, Any]]) -> list[str]:
    return [target for text in markdown(cells) for target in re.findall(r"\]\(([^()\s]+)\)", text)]


def test_the_notebooks_are_those_of_all_pages_with_examples(notebooks: Notebooks) -> None:
    assert len(notebooks()) > 100


def test_no_cell_has_syntax_that_only_this_site_knows(notebooks: Notebooks) -> None:
    problems = {page: site_syntax(cells) for page, cells in notebooks().items()}
    assert not any(problems.values()), {page: messages for page, messages in problems.items() if messages}


@pytest.mark.parametrize(
    "text",
    [
        '??? note "More"\n\n    Text.',
        "!!! warning\n\n    Text.",
        "``` figure\nkind: curve\n```",
        "## Title {#id}",
        '<div data-playground markdown="1">',
        "<!-- note -->",
        "    Text that became a block of code.",
    ],
)
def test_site_syntax_finds_what_only_this_site_renders(text: str) -> None:
    assert site_syntax([{"cell_type": "markdown", "source": [text]}])


def test_each_link_is_the_address_of_a_page_of_the_published_site(notebooks: Notebooks) -> None:
    seen = 0
    for page, cells in notebooks().items():
        for target in link_targets(cells):
            assert target.startswith("https://"), f"{page}: {target}"
            if target.startswith(SITE):
                seen += 1
                path = target.removeprefix(SITE).partition("#")[0]
                files = [ROOT / "docs" / Path(path).with_suffix(suffix) for suffix in (".md", ".ipynb")]
                is_generated = path.startswith(("engine/", "snippets/"))
                assert is_generated or any(file.is_file() for file in files), f"{page}: {target}"
    assert seen > 400


def test_without_an_address_of_the_site_no_link_leads_to_a_missing_file(notebooks: Notebooks) -> None:
    for page, cells in notebooks("").items():
        assert all(target.startswith("https://") for target in link_targets(cells)), page


@pytest.mark.parametrize("site", [SITE, SITE.rstrip("/")])
def test_the_address_of_the_site_may_end_with_a_slash(site: str) -> None:
    cells = export.build_notebook(project(), "in-place/versions.md", site)["cells"]
    assert f"]({SITE}in-place/views.html" in "".join(map(source, cells))


def test_each_figure_of_a_page_is_in_its_notebook(notebooks: Notebooks) -> None:
    """Compare the captions, in order, and check that each cell with a caption has pictures and their descriptions."""
    count = 0
    for page, cells in notebooks().items():
        figures = [source(c) for c in cells for _ in re.finditer(r"\*\*Figure\.\*\*", source(c))]
        fences = [fence for fence in project().fences(page) if fence.kind == "figure"]
        assert len(figures) == len(fences), page
        for text, fence in zip(figures, fences, strict=True):
            caption = without_links(fence.keys.get("caption", "")).replace("*", "")
            assert caption in without_links(text).replace("*", ""), page
            assert PICTURE.search(text), f"{page}: {caption}"
            assert all(alt for alt, _ in PICTURE.findall(text)), f"{page}: {caption}"
            count += 1
    assert count > 150


def test_pictures_need_no_style_sheet_and_no_other_file(notebooks: Notebooks) -> None:
    for page, cells in notebooks().items():
        for _, data in PICTURE.findall("".join(map(source, cells))):
            svg = base64.b64decode(data).decode()
            root = ElementTree.fromstring(svg)
            assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}", page
            assert "var(" not in svg and "inherit" not in svg, page
            style = root.find("{http://www.w3.org/2000/svg}style")
            assert style is not None and "fill:" in (style.text or "").replace(" ", ""), page
            addresses = re.findall(r'href="([^"]*)"|url\(([^)]*)\)|<script', svg)
            assert all("".join(pair).startswith("data:image/png") for pair in addresses), page


def test_a_browser_draws_every_picture(context: BrowserContext, tmp_path: Path, notebooks: Notebooks) -> None:
    pictures = [m[0] for cells in notebooks().values() for c in cells for m in PICTURE.finditer(source(c))]
    (tmp_path / "pictures.html").write_text("".join(pictures), encoding="utf-8")
    page = context.new_page()
    page.goto((tmp_path / "pictures.html").as_uri())
    sizes = page.evaluate("[...document.images].map(image => [image.naturalWidth, image.naturalHeight])")
    assert len(sizes) == len(pictures) > 150
    assert all(60 < width < 900 and 40 < height < 1500 for width, height in sizes)


def test_only_the_highlighted_tangent_of_a_curve_is_in_its_picture(notebooks: Notebooks) -> None:
    cells = notebooks()["why-autograd/first-gradients.md"]
    pictures = [base64.b64decode(data).decode() for _, data in PICTURE.findall("".join(map(source, cells)))]
    assert any(svg.count("f-tangent") >= 1 and svg.count('<g class="f-mark') == 1 for svg in pictures)


def test_all_that_a_page_shows_of_a_program_is_in_its_notebook(notebooks: Notebooks) -> None:
    """Look up each line of code that a `snippet` or `predict` fence shows, and the question of each prediction."""
    for page, cells in notebooks().items():
        text = "\n".join(map(source, cells))
        lines = {line.strip() for line in text.splitlines()}
        for fence in project().fences(page):
            if not embeds_snippet(fence):
                continue
            snippet = project().snippet(fence.keys["file"])
            first, last = excerpt_span(snippet, fence.keys.get("region"))
            for statement in snippet.statements:
                if first <= statement.first and statement.last <= last:
                    assert snippet.lines[statement.first - 1].strip() in lines, f"{page}: {snippet.name}"
            for key in ("ask", "why"):
                words = without_links(fence.keys.get(key, ""))
                assert words in without_links(text), f"{page}: {words}"


def test_text_that_announces_something_is_followed_by_it(notebooks: Notebooks) -> None:
    """Text that ends with a colon must be followed by something else than the next paragraph of the page."""
    for page, cells in notebooks().items():
        for cell, after in zip(cells, cells[1:], strict=False):
            if cell["cell_type"] == "markdown" and source(cell).rstrip().endswith(":"):
                starts_of_other_parts = (
                    "**",
                    "<img",
                    "<details>",
                    "`",
                    "- ",
                    "A part of the program.",
                    "The backward pass",
                )
                assert after["cell_type"] == "code" or source(after).startswith(starts_of_other_parts), (
                    f"{page}: {source(cell)[-80:]}"
                )


def test_the_first_page_has_each_part_of_its_program_where_the_text_announces_it(notebooks: Notebooks) -> None:
    cells = notebooks()["training/first-network.md"]
    announcement = next(i for i, cell in enumerate(cells) if "The next eight lines build a network" in source(cell))
    assert cells[announcement + 1]["cell_type"] == "code"
    assert source(cells[announcement + 1]).startswith("net = nn.Sequential(") and "begin_afresh" not in source(
        cells[announcement + 1]
    )
    assert len(source(cells[announcement + 1]).splitlines()) == 8


# --- the cell that resets the kernel


def test_the_cell_that_resets_the_kernel_is_hidden_and_explained(notebooks: Notebooks) -> None:
    count = 0
    for page, cells in notebooks().items():
        for before, cell in zip(cells, cells[1:], strict=False):
            if "def begin_afresh" in source(cell):
                count += 1
                assert cell["metadata"]["jupyter"]["source_hidden"] and "hide-input" in cell["metadata"]["tags"]
                assert source(before) == export.ISOLATION_TEXT
                assert not source(cells[cells.index(before) - 1]).rstrip().endswith(":"), page
    assert count > 80


def test_the_cell_that_resets_the_kernel_runs_silently_beside_torch(tmp_path: Path) -> None:
    """Run it in the folder that has torch below it, as a project with its `.venv`, and let each FutureWarning be an error."""
    program = tmp_path / "program.py"
    cell = export.ISOLATION_CELL.read_text(encoding="utf-8")
    program.write_text(
        f"import os, torch\nos.chdir(os.path.dirname(os.path.dirname(torch.__file__)))\n{cell}\n"
        + "begin_afresh()\n" * 2
    )
    completed = subprocess.run(
        [sys.executable, "-W", "error::FutureWarning", str(program)], capture_output=True, text=True, timeout=300
    )
    assert (completed.returncode, completed.stderr) == (0, "")


def test_jupyter_runs_an_example_that_forks_as_a_separate_program(small: Path) -> None:
    """Execute the notebook in a kernel: only there, `%%script` is known and finds the name of Python."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    write_files(
        small,
        {
            "snippets/forks.py": '"""F."""\n\nimport os\n\npid = os.fork()\nprint(pid > 0) if pid else os._exit(0)\n#> True\n'
        },
    )
    small_cells(small, "b.py", "forks.py")
    text = export.as_text(export.build_notebook(Project(small, "small"), "page.md", SITE))
    notebook = nbformat.reads(text, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(small)}}).execute()
    assert code[2].source.startswith(export.SEPARATE_PROGRAM)
    assert ["".join(output.text for output in cell.outputs) for cell in code] == ["", "1\n", "True\n"]


# --- the parts of the conversion


def test_the_rules_of_a_picture_have_the_colors_of_the_light_theme() -> None:
    text = """
        [data-md-color-scheme] { --ink: #111; --soft: var(--ink); }
        @media screen { [data-md-color-scheme="slate"] { --ink: #eee; } }
        [data-md-color-scheme="slate"] { --ink: #eee; }
        .drawn .f-name, .other { fill: var(--soft); } /* .f-name { } */
        .f-cell.f-a rect { fill: var(--missing, red); }
        .f-name::after, :is(.f-x, .f-y) { content: "} /* {"; }
        @media print { .f-name { fill: black; """
    style = parse_style_sheet(text)
    assert style.for_classes({"f-name"}) == '.drawn .f-name{fill: #111}.f-name::after{content: "} /* {"}'
    assert ".f-cell.f-a rect{fill: red}" in style.for_classes({"f-name", "f-cell", "f-a"})


LINKS = Links("part/page.md", SITE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", f"[a]({SITE}part/b.html)"),
        ("[a\nb](../other/b.md#c)", f"[a\nb]({SITE}other/b.html#c)"),
        ("[`f(x)[0]` of it](#here)", f"[`f(x)[0]` of it]({SITE}part/page.html#here)"),
        ("[lab](../labs/one.ipynb)", f"[lab]({SITE}labs/one.html)"),
        ("[out](https://pytorch.org/x)", "[out](https://pytorch.org/x)"),
        ("`x[0](b.md)` and $$a[0](b)$$", "`x[0](b.md)` and $$a[0](b)$$"),
        ("## Title {#id}\n\nText", "## Title\n\nText"),
        ("## A set `{1}`", "## A set `{1}`"),
        ("a\n<!-- b\nc -->\nd", "a\nd"),
        ("`<!-- kept -->`", "`<!-- kept -->`"),
        ('{: lang="zh" }\nText', "Text"),
        ('<div class="x" markdown="1">\nText\n</div>', "Text"),
    ],
)
def test_text_becomes_plain_markdown(text: str, expected: str) -> None:
    assert plain(text, LINKS) == expected


def test_a_link_is_only_words_if_the_site_has_no_address() -> None:
    assert (
        plain("See [page 7](x.md), [that](https://a.org).", Links("a.md", "")) == "See page 7, [that](https://a.org)."
    )


def test_boxes_are_split_off_and_dedented() -> None:
    text = 'Before\n\n??? note "A `title`"\n\n    One\n\n        code\n\n    Two\n!!! warning\n\n    Three\nAfter'
    page_parts = [part for part in parts(list(enumerate(text.split("\n"), 1)), {}) if part]
    first, second = (part for part in page_parts if isinstance(part, Box))
    assert (first.title, first.is_fold, second.title, second.is_fold) == ("A `title`", True, "Warning", False)
    assert [line for _, line in first.lines] == ["", "One", "", "    code", "", "Two"]
    assert [part for part in page_parts if isinstance(part, str)] == ["Before\n", "After"]


def test_a_fold_has_its_title_in_html() -> None:
    assert fold("`a < b` is *new*", "Text") == (
        "<details>\n<summary><b><code>a &lt; b</code> is <i>new</i></b></summary>\n\nText\n\n</details>"
    )


def test_a_block_of_code_may_contain_a_fence() -> None:
    assert code_block("```\nx\n```", "markdown") == "````markdown\n```\nx\n```\n````"


PROGRAM = '''"""A title."""

import math
# region: one
x = math.pi
print(x > 3)
#> True
# endregion
# region: two
print(x > 4)
#> False
# endregion
y = 1
'''


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "reference_impl").mkdir()
    write_files(tmp_path, {"snippets/a.py": PROGRAM, "snippets/b.py": '"""B."""\n\nprint(1)\n#> 1\n'})
    return tmp_path


def small_cells(root: Path, *fences: str, before: str = "# Page\n\n") -> list[str]:
    """Write a page with these `snippet` fences (a file, or a file and a region), and return the sources of the cells of its notebook.

    The cell that resets the kernel is left out.
    """
    blocks = ["``` snippet\nfile: {}\n{}```\n".format(*(fence + " ").split(" ", 1)) for fence in fences]
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs/page.md").write_text(before + "\n".join(blocks).replace(" region", "region"))
    cells = export.build_notebook(Project(root, "small"), "page.md", SITE)["cells"]
    return [source(cell) for cell in cells if "def begin_afresh" not in source(cell)]


def test_regions_in_order_are_cells_of_one_program(small: Path) -> None:
    assert small_cells(small, "a.py region: one\n", "a.py region: two\n") == [
        "# Page",
        "**A title.**",
        "import math\nx = math.pi\nprint(x > 3)",
        "print(x > 4)",
        "The rest of the program, which the page leaves out:",
        "y = 1",
    ]


def test_regions_in_another_order_are_excerpts_before_the_program(small: Path) -> None:
    cells = small_cells(small, "a.py region: two\n", "a.py region: one\n")
    assert cells[1:4] == [
        "**A title.**",
        "A part of the program. The whole stands below.\n\n```python\nprint(x > 4)\n#> False\n```",
        "A part of the program. The whole stands below.\n\n```python\nx = math.pi\nprint(x > 3)\n#> True\n```",
    ]
    assert cells[4:] == [
        "**A title.** The whole program:",
        "import math\nx = math.pi\nprint(x > 3)\nprint(x > 4)\ny = 1",
    ]


def test_a_program_is_not_continued_after_another_one(small: Path) -> None:
    cells = small_cells(small, "a.py region: one\n", "b.py", "a.py region: two\n")
    code = [cell for cell in cells if cell.startswith("begin_afresh()\n")]
    assert len(code) == 2 and code[1].endswith("import math\nx = math.pi\nprint(x > 3)\nprint(x > 4)\ny = 1")


def test_a_program_that_the_page_also_shows_whole_is_in_cells_there(small: Path) -> None:
    cells = small_cells(small, "a.py region: one\n", "a.py", "a.py region: two\n")
    assert cells[2].startswith("A part of the program. The whole stands below.")
    assert cells[3].startswith("import math\n") and cells[3].endswith("y = 1")
    assert cells[4].startswith("A part of the program. The whole stands above.")


def test_a_fold_without_code_cells_is_a_details_element(small: Path) -> None:
    text = '# Page\n\n??? note "More"\n\n    See [b](b.md).\n\n??? note "A program"\n\n    Text.\n\n    ``` snippet\n    file: b.py\n    ```\n\n'
    assert small_cells(small, before=text) == [
        "# Page",
        f"<details>\n<summary><b>More</b></summary>\n\nSee [b]({SITE}b.html).\n\n</details>",
        "**A program**",
        "Text.",
        "**B.**",
        "print(1)",
    ]


def test_figure_that_cannot_be_drawn_yet_is_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make serve` makes a recording only when its page is requested. Until then, the notebook links to the figure."""
    monkeypatch.setattr(recorded, "is_recorded", lambda *arguments: False)
    project = Project(ROOT, "notebook tests", records_singly=True)
    text = "".join(map(source, export.build_notebook(project, "training/first-network.md", SITE)["cells"]))
    assert "<img" not in text
    figure = f"{SITE}training/first-network.html#figure-training-first-network-reader"
    assert "**Figure.** Ten of the 1,797 pictures." in text and f"]({figure})" in text


def test_addresses_of_figures_and_step_viewers_are_ids_of_the_page(site: Path, notebooks: Notebooks) -> None:
    for page, cells in notebooks().items():
        built = html.unescape((site / page).with_suffix(".html").read_text(encoding="utf-8"))
        for target in link_targets(cells):
            name = target.partition("#")[2]
            if name.startswith(("figure-", "steps-")):
                assert f'id="{name}"' in built, f"{page}: {name}"


@pytest.mark.parametrize("address", ["", SITE])
def test_a_build_takes_the_address_of_the_site_from_the_environment(
    small: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("GRADNOTES_SITE_URL", address)
    small_cells(small, "b.py", before="# Page\n\n[The section](#section).\n\n")
    generate.generate_sources(small)
    text = (small / generate.DOCS / "notebooks/page.ipynb").read_text(encoding="utf-8")
    assert (f"[The section]({SITE}page.html#section)." if address else "The section.") in text
    assert ("](" in text) == bool(address)
