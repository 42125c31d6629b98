"""Notebooks are shown with their outputs, and a cell that failed or was not executed is an error."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import markdown
import pytest
import yaml
from mkdocs_jupyter.convert import nb2html
from nbclient.exceptions import CellExecutionError

from gradnotes.cache import BuildCache
from gradnotes.notebooks import labs
from gradnotes.problems import PageError

ROOT = Path(__file__).resolve().parents[2]
LABS = sorted((ROOT / "docs").rglob("*.ipynb"))


def write(path: Path, *cells: tuple[str, str, dict]) -> Path:
    """Write a notebook that was never executed. A cell is (type, source, metadata)."""
    notebook_cells = []
    for number, (kind, source, metadata) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"c{number}", "metadata": metadata, "source": source}
        notebook_cells.append(cell | ({"outputs": [], "execution_count": None} if kind == "code" else {}))
    book = {"cells": notebook_cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(book))
    return path


def render(root: Path, path: Path, is_executed: bool = False) -> str:
    """Return the HTML of a notebook as in a build of the site. With `is_executed`, the plugin runs its cells first."""
    labs.prepare(BuildCache(root, "build"))
    text, figures = labs.split(nb2html(str(path), execute=is_executed, allow_errors=False), "")
    config = {"gradnotes.fences": {"root": str(root)}}
    return labs.join(markdown.markdown(text, extensions=["gradnotes.fences"], extension_configs=config), figures)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a project with the theme and plugins of this site. Its only part contains an executed notebook."""
    for folder in ("overrides", "docs/assets"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for folder in ("reference_impl", "snippets", "exercises"):
        (tmp_path / folder).mkdir()
    (tmp_path / "docs/index.md").write_text("---\ntitle: Home\nparts: [part]\n---\n\n[One](part/one.ipynb#end)\n")
    (tmp_path / "docs/part").mkdir()
    (tmp_path / "docs/part/index.md").write_text("---\ntitle: Part\npages: [one]\n---\n\nText.\n")
    text = "# A `title` < 2\n\nText.\n\n!!! note\n\n    `a < b & c`\n\n## End\n\n[Home](../index.md)"
    path = write(tmp_path / "docs/part/one.ipynb", ("markdown", text, {}), ("code", "print(6 * 7)", {}))
    book = json.loads(path.read_text())
    output = {"output_type": "stream", "name": "stdout", "text": "42\n"}
    book["cells"][1] |= {"execution_count": 1, "outputs": [output]}
    path.write_text(json.dumps(book))
    return tmp_path


def test_the_settings_of_the_plugin_refuse_errors() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    plugins = yaml.load(text, yaml.BaseLoader)["plugins"]
    options = next(plugin["mkdocs-jupyter"] for plugin in plugins if "mkdocs-jupyter" in plugin)
    assert options["include"] == ["*.ipynb"]
    assert (options["allow_errors"], options["cache"]) == ("false", "false")


def test_notebook_is_a_page_like_any_other(project: Path, mkdocs_here: Callable, tmp_path: Path) -> None:
    """Check the Markdown, links and download of the page, and that it has neither styles nor markup of Jupyter."""
    completed = mkdocs_here(project, tmp_path / "out")
    assert completed.returncode == 0, completed.stderr
    page = (tmp_path / "out/part/one.html").read_text(encoding="utf-8")
    assert '<div class="admonition note">' in page and "<code>a &lt; b &amp; c</code>" in page
    assert '<h2 id="end">' in page and 'data-word="prints">42</span>' in page
    assert "jp-" not in page and "<style" not in page and "mathjax" not in page.lower()
    assert '<a href="one.ipynb" download>' in page
    copy = (tmp_path / "out/part/one.ipynb").read_bytes()
    assert copy == (project / "docs/part/one.ipynb").read_bytes()
    assert "part/one.html#end" in (tmp_path / "out/index.html").read_text(encoding="utf-8")


BAD = {
    "not executed": ('"execution_count": 1', '"execution_count": null', "cell 2 of one.ipynb was not executed"),
    "dead link": ("../index.md", "../indx.md", "indx.md"),
    "dead anchor": ("../index.md", "#begin", "no such anchor"),
    "no notebook": ('"cells"', '"cell"', "part/one.ipynb"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_notebook_fails_the_build(project: Path, mkdocs_here: Callable, tmp_path: Path, case: str) -> None:
    old, new, message = BAD[case]
    path = project / "docs/part/one.ipynb"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    for _ in range(2):  # the second build uses the caches of the first
        completed = mkdocs_here(project, tmp_path / "out")
        assert completed.returncode != 0 and message in completed.stderr


def test_a_changed_notebook_is_rendered_again(project: Path, mkdocs_here: Callable, tmp_path: Path) -> None:
    path = project / "docs/part/one.ipynb"
    for old, new in (("42", "42"), ("42", "43"), ("43", "42")):
        path.write_text(path.read_text().replace(f"{old}\\n", f"{new}\\n"))
        assert mkdocs_here(project, tmp_path / "out").returncode == 0
        page = (tmp_path / "out/part/one.html").read_text(encoding="utf-8")
        assert f'data-word="prints">{new}</span>' in page


def test_cell_that_fails_while_the_plugin_executes_it_fails_the_build(
    project: Path, mkdocs_here: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / "docs/part/one.ipynb"
    path.write_text(path.read_text().replace("print(6 * 7)", "raise ValueError('no')"))
    assert mkdocs_here(project, tmp_path / "out").returncode == 0
    monkeypatch.setitem(os.environ, "GRADNOTES_EXECUTE_LABS", "true")
    completed = mkdocs_here(project, tmp_path / "out")
    assert completed.returncode != 0 and "ValueError" in completed.stderr


def test_executed_notebook_is_shown_with_its_outputs(tmp_path: Path) -> None:
    path = write(
        tmp_path / "docs/labs/one.ipynb",
        ("markdown", "# A title\n\nWhat it is about.", {}),
        ("code", "x = 6 * 7\nprint(x)", {}),
        ("code", "1 / 0", {"tags": ["raises-exception"]}),
        ("code", "x + 1", {}),
    )
    labs.execute(path)
    html = render(tmp_path, path)
    assert 'data-word="prints">42</span>' in html and 'data-word="prints">43</span>' in html
    assert "ZeroDivisionError: division by zero" in html
    assert labs.read_metadata(path) == {"title": "A title", "description": "What it is about."}
    before = path.read_bytes()
    labs.execute(path)
    assert path.read_bytes() == before


def test_a_cell_that_was_not_executed_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/labs/one.ipynb", ("code", "print(1)", {}))
    with pytest.raises(PageError, match="cell 1 of one.ipynb was not executed"):
        render(tmp_path, path)
    assert 'data-word="prints">1</span>' in render(tmp_path, path, is_executed=True)


def test_a_cell_that_failed_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/labs/one.ipynb", ("code", "print(1)", {}))
    book = json.loads(path.read_text())
    book["cells"][0] |= {
        "execution_count": 1,
        "outputs": [{"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}],
    }
    path.write_text(json.dumps(book))
    with pytest.raises(PageError, match="cell 1 of one.ipynb failed: ValueError: no"):
        render(tmp_path, path)
    book["cells"][0]["source"] = "raise ValueError('no')"
    path.write_text(json.dumps(book))
    with pytest.raises(CellExecutionError, match="raise ValueError"):
        render(tmp_path, path, is_executed=True)


def test_failing_notebook_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "docs/labs/one.ipynb", ("code", "raise ValueError('no')", {}))
    before = path.read_bytes()
    assert labs.main([str(path)]) == 1
    assert "one.ipynb: ValueError: no" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_picture_without_alternative_text_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/labs/one.ipynb", ("code", "draw()", {}))
    book = json.loads(path.read_text())
    data = {"image/png": "aGk="}
    book["cells"][0] |= {
        "execution_count": 1,
        "outputs": [{"output_type": "display_data", "data": data, "metadata": {}}],
    }
    path.write_text(json.dumps(book))
    with pytest.raises(PageError, match="has a picture without alternative text"):
        render(tmp_path, path)
    book["cells"][0]["metadata"]["alt"] = "A curve that falls"
    path.write_text(json.dumps(book))
    assert 'alt="A curve that falls" src="data:image/png;base64,aGk="' in render(tmp_path, path)


def test_ids_in_drawings_are_unique(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/labs/one.ipynb", ("code", "draw()", {"alt": "A dot"}))
    book = json.loads(path.read_text())
    svg = '<svg viewBox="0 0 1 1"><image id="i1"/><image id="i1"/><path id="p"/><use href="#p" clip-path="url(#p)"/></svg>'
    output = {"output_type": "display_data", "data": {"image/svg+xml": svg}, "metadata": {}}
    book["cells"][0] |= {"execution_count": 1, "outputs": [output, output]}
    path.write_text(json.dumps(book))
    html = render(tmp_path, path)
    ids = re.findall(r'id="([^"]*)"', html)
    assert len(ids) == len(set(ids)) == 4
    assert {"cell-1-1-p", "cell-1-2-p"} <= set(ids)
    assert html.count("viewBox=") == 2
    assert 'href="#cell-1-2-p" clip-path="url(#cell-1-2-p)"' in html


@pytest.mark.parametrize("path", LABS, ids=[path.stem for path in LABS])
def test_executing_a_lab_again_gives_the_stored_output(path: Path, tmp_path: Path) -> None:
    """Execute a copy of a notebook of the site, and compare the text of every output with the stored text."""
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    labs.execute(copy)
    stored, current = (json.loads(notebook.read_text(encoding="utf-8"))["cells"] for notebook in (path, copy))
    for number, (old, new) in enumerate(zip(stored, current, strict=True), 1):
        texts = [[o.get("text", o.get("evalue")) for o in c.get("outputs", [])] for c in (old, new)]
        assert texts[0] == texts[1], f"cell {number}"


def test_labs_show_both_engines_agree() -> None:
    """Check the stored outputs, which test_executing_a_lab_again_gives_the_stored_output reproduces."""
    output_by_lab = {path.stem: _outputs_of(path) for path in LABS}
    assert "largest difference: 0.000000000\n" in output_by_lab["train-lenet"]
    assert "same answers:       True\n" in output_by_lab["train-lenet"]
    assert "the same on the engine: True\n" in output_by_lab["watch-a-graph"]
    assert "same history:   True\n" in output_by_lab["watch-a-graph"]
    assert "after backward: 0 0\n" in output_by_lab["watch-a-graph"]
    assert "engines agree: True True\n" in output_by_lab["find-a-wrong-gradient"]
    assert output_by_lab["find-a-wrong-gradient"].count("Jacobian mismatch for output 0 with respect to input 1,") == 2


def test_a_lab_detects_an_engine_that_differs(tmp_path: Path) -> None:
    """Train with a slightly larger learning rate on our engine: the lab must report a difference."""
    source = (ROOT / "docs/labs/train-lenet.ipynb").read_text(encoding="utf-8")
    copy = tmp_path / "train-lenet.ipynb"
    changed = source
    for old, new in (("lr=0.004", "lr=0.004 + 1e-7 * (torch is reference_impl)"), (".split(25)", ".split(25)[:3]")):
        assert old in source
        changed = changed.replace(old, new)
    copy.write_text(changed, encoding="utf-8")
    labs.execute(copy)
    line = next(line for line in _outputs_of(copy).splitlines() if line.startswith("largest difference:"))
    assert float(line.split()[-1]) > 0


@pytest.mark.parametrize("path", LABS, ids=[path.stem for path in LABS])
def test_the_page_of_a_lab_is_small(path: Path) -> None:
    """Check the compressed size of the HTML of a lab, without the parts that all pages share."""
    html = render(ROOT, path)
    assert len(gzip.compress(html.encode())) < 60_000


def _outputs_of(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return "\n".join("".join(output.get("text", output.get("evalue", ""))) for output in outputs)
