"""Test the downloads of the site: notebooks that run, a zip that works without a server, and llms.txt, a list of pages."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect
from snippetcheck.compare import line_matches, output_lines
from snippetcheck.expected import ExpectedLine
from snippetcheck.settings import load_settings
from snippetcheck.snippet import files

from gradnotes.reading_order import nav
from gradnotes.site import offline

RUNNER = Path(__file__).with_name("run_notebooks.py")


def notebooks(site: Path) -> list[Path]:
    """Return the notebooks that the site offers for download."""
    return sorted((site / "notebooks").rglob("*.ipynb"))


def test_pages_link_to_existing_notebooks(root: Path, site: Path) -> None:
    link_count = 0
    for page in site.rglob("*.html"):
        link = re.search(r'class="page-as"><a href="([^"]*)"', page.read_text(encoding="utf-8"))
        if link:
            link_count += 1
            assert (page.parent / link[1]).resolve().is_file(), page
    assert link_count >= len(notebooks(site)) - 1 > 10  # the home page has a notebook and no such link


def test_notebooks_are_well_formed(site: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    for path in notebooks(site):
        nbformat.validate(nbformat.read(path, 4))


def test_no_example_uses_the_name_begin_afresh(site: Path) -> None:
    """Search all cells, since a notebook calls its function `begin_afresh` before an example to remove effects of previous examples."""
    for path in notebooks(site):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and "def begin_afresh" not in source:
                assert "begin_afresh" not in source.removeprefix("begin_afresh()\n"), f"{path.name}: {source}"


def run_cells(paths: list[Path], folder: Path) -> dict[str, tuple[str, str | None]]:
    """Run the code cells of notebooks on PyTorch. Map the id of each cell to (output, class of its error or None)."""
    completed = subprocess.run(
        [sys.executable, str(RUNNER), *map(str, paths)], cwd=folder, capture_output=True, text=True, timeout=900
    )
    assert completed.returncode == 0, completed.stderr
    return {key: (out, error) for key, out, error in map(json.loads, completed.stdout.splitlines())}


@functools.cache
def lines_with_wildcards() -> set[str]:
    """Return the texts of all `#>?` lines, which notebooks show without `?`."""
    settings = load_settings(Path(__file__).resolve().parents[2])
    snippets = map(settings.load, files(settings.snippets_dir))
    lines = (line for snippet in snippets for statement in snippet.statements for line in statement.output)
    return {line.text for line in lines if line.has_wildcards}


def output_matches(printed: str, expected_output: str) -> bool:
    """Return whether printed output matches the output in the notebook, which may contain wildcards."""
    actual, expected = output_lines(printed.rstrip()), output_lines(expected_output.rstrip())
    lines = [ExpectedLine(0, text, text in lines_with_wildcards()) for text in expected]
    return len(lines) == len(actual) and all(map(line_matches, lines, actual))


def test_only_lines_with_wildcards_match_other_text() -> None:
    wildcards = sorted(lines_with_wildcards())
    assert wildcards and all("..." in text for text in wildcards)
    for text in wildcards:
        assert output_matches(text.replace("...", "of version 3"), text)
    assert output_matches("Loading...\n", "Loading...\n")
    assert not output_matches("Loading failed\n", "Loading...\n")


def differences(path: Path, outcomes: dict[str, tuple[str, str | None]]) -> list[str]:
    """Return a message for each cell whose output or error differs from the notebook."""
    problems = []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        out, error = outcomes.get(cell["id"], ("", "not run"))
        expected_errors = [o["ename"] for o in cell["outputs"] if o["output_type"] == "error"] or [None]
        expected_output = "".join("".join(o["text"]) for o in cell["outputs"] if o.get("name") == "stdout")
        if error != expected_errors[0] or not output_matches(out, expected_output):
            problems.append(
                f"{path.name}: {''.join(cell['source'])}\nprinted {out!r} and raised {error}, "
                f"expected {expected_output!r} and {expected_errors[0]}"
            )
    return problems


# Notebooks that set seeds or start processes. Running all notebooks takes as long as running all snippets.
SAMPLE = ("tensors/random", "training/loading-in-parallel")


@pytest.mark.parametrize("selection", ["sample", "others"])
def test_notebooks_print_the_output_that_they_contain(selection: str, site: Path, tier: str, tmp_path: Path) -> None:
    """Run all cells of a notebook in order, so that an example that affects later ones is noticed."""
    if selection == "others" and tier != "full":
        pytest.skip("90 notebooks of 4 s each run only with --tier full")
    sample = [site / "notebooks" / f"{name}.ipynb" for name in SAMPLE]
    paths = sample if selection == "sample" else [path for path in notebooks(site) if path not in sample]
    outcomes = run_cells(paths, tmp_path)
    problems = [line for path in paths for line in differences(path, outcomes)]
    assert problems == [], "\n\n".join(problems)


def test_begin_afresh_removes_the_effects_of_previous_examples(site: Path, tmp_path: Path) -> None:
    """Insert patches, settings and names before each example.

    If `begin_afresh()` follows the inserted lines, all examples print the output in the notebook; without it, some do not.
    """
    leftovers = "import torch; torch.ones = torch.Tensor.backward = None; torch.set_default_dtype(torch.float64); print = os = gc = 1\\n"
    text = (site / "notebooks/in-place/versions.ipynb").read_text(encoding="utf-8")
    assert text.count('"begin_afresh()\\n"') > 3
    starts = {"afresh": "begin_afresh()\\n", "without": "\\n"}
    paths = {name: tmp_path / f"{name}.ipynb" for name in starts}
    for name, path in paths.items():
        edited_text = text.replace('"begin_afresh()\\n"', f'"{leftovers}", "{starts[name]}"')
        path.write_text(re.sub(r'"id": "', rf"\g<0>{name}-", edited_text), encoding="utf-8")
    outcomes = run_cells(list(paths.values()), tmp_path)
    assert differences(paths["afresh"], outcomes) == [] != differences(paths["without"], outcomes)


def test_the_zip_works_without_a_server(context: BrowserContext, site: Path, tmp_path: Path) -> None:
    target = tmp_path / "site.zip"
    assert offline.write(site, target) > 50
    with zipfile.ZipFile(target) as archive:
        archive.extractall(tmp_path)
    page = context.new_page()
    page.goto((tmp_path / "gradnotes" / "index.html").as_uri())
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill("retain_grad")
    page.locator(".search__results a").first.click()
    page.wait_for_url(lambda url: not url.endswith("gradnotes/index.html"))
    assert Path(page.url.removeprefix("file://").split("#")[0]).is_file()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_the_zip_is_reproducible(site: Path, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        offline.write(site, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_missing_site_is_reported_with_a_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert offline.main(str(tmp_path), str(tmp_path / "x.zip")) == 1
    assert "make build" in capsys.readouterr().err


def test_llms_txt_lists_every_page(root: Path, site: Path) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    for page in (root / "docs").rglob("*.md"):
        address = page.relative_to(root / "docs").with_suffix(".html").as_posix()
        if (site / address).exists():
            assert f"]({address})" in text, address  # relative, since the build of the tests has no address


def test_unlisted_and_missing_pages_are_reported(tmp_path: Path) -> None:
    files = {
        "index.md": "---\nparts: [one]\n---\n",
        "one/index.md": "---\ntitle: One\npages: [there, gone, there]\n---\n",
        "one/there.md": "",
        "one/forgotten.md": "",
        "two/index.md": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    navigation = nav(tmp_path)
    assert navigation.items[1] == {"One": ["one/index.md", "one/there.md", "one/forgotten.md"]}
    messages = "\n".join(map(str, navigation.problems))
    for words in (
        "no page 'gone'",
        "'there' is listed twice",
        "one/forgotten.md:1: no `pages` list names this page",
        "part 'two'",
    ):
        assert words in messages
