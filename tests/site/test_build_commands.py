"""The steps of a build before and after MkDocs work without MkDocs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from test_fences import add_theme, book  # noqa: F401

from gradnotes.site import generate

# A minimal site generator instead of MkDocs: it renders the generated folder with Python-Markdown and `gradnotes.fences`.
# At the end, a second run of `finish` must change nothing.
OTHER_GENERATOR = """
import sys
sys.modules.update(dict.fromkeys(("mkdocs", "mkdocs_jupyter", "material", "gradnotes.mkdocs_plugin")))
from pathlib import Path
import markdown
from gradnotes.site import finish, generate
docs, site = Path(generate.DOCS), Path("site")
sys.argv[1:] = []
assert generate.main() == 0
for page in docs.rglob("*"):
    target = site / page.relative_to(docs)
    target.parent.mkdir(parents=True, exist_ok=True)
    if page.suffix == ".md":
        body = page.read_text().split("---\\n", 2)[2]
        html = markdown.markdown(body, extensions=["toc", "gradnotes.fences"])
        script = "<script>1</script>"
        target.with_suffix(".html").write_text(f'<meta name="policy">{script}<article>{html}</article>')
    elif page.is_file():
        target.write_bytes(page.read_bytes())
sys.argv[1:] = ["site"]
assert finish.main() == 0
first = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
assert finish.main() == 0
assert first == {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
"""


@pytest.fixture
def project(book: Path, root: Path) -> Path:  # noqa: F811
    """Add a theme and a one-function engine to the small project `book`."""
    add_theme(book, root)
    (book / "reference_impl/__init__.py").write_text('"""An engine."""\n\n\ndef twice(x):\n    return 2 * x\n')
    return book


def environment(root: Path, **variables: str) -> dict[str, str]:
    """Return an environment in which Python imports gradnotes and snippetcheck from this repository."""
    paths = f"{root}{os.pathsep}{root / 'harness/src'}"
    return {**os.environ, "PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1", **variables}


def test_another_generator_can_replace_mkdocs(project: Path, root: Path) -> None:
    variables = environment(root, GRADNOTES_SITE_URL="https://name.github.io/gradnotes")
    completed = subprocess.run(
        [sys.executable, "-c", OTHER_GENERATOR], cwd=project, env=variables, capture_output=True, text=True
    )
    assert completed.returncode == 0, completed.stderr
    site = project / "site"
    page = (site / "part/index.html").read_text()
    assert 'data-word="prints"' in page and "script-src 'self' 'sha256-" in page
    assert "def</span> <span" in (site / "engine/reference_impl.html").read_text()
    assert (site / "snippets/part/sum.py").read_bytes() == (project / "snippets/part/sum.py").read_bytes()
    cells = json.loads((site / "notebooks/part/index.ipynb").read_text())["cells"]
    assert any("print(2 + 2)" in "".join(cell["source"]) for cell in cells)
    index = (site / "assets/search_index.js").read_text()
    assert '"part/index.html"' in index and '"engine/reference_impl.html"' in index
    address = "https://name.github.io/gradnotes/"
    assert re.findall(r"^## .*|\]\(.*\)", (site / "llms.txt").read_text(), re.M) == [
        "## Pages",
        f"]({address}index.html)",
        "## Part",
        f"]({address}part/index.html)",
        "## The engine's source",
        f"]({address}engine/index.html)",
        "## reference_impl",
        f"]({address}engine/reference_impl.html)",
    ]


def test_only_changed_files_are_rewritten(project: Path) -> None:
    assert generate.generate_sources(project) == []
    docs = project / generate.DOCS
    hidden = ("errata/part.yml", "evidence/speed.json")
    assert [name for name in hidden if (docs / name).exists() or not (project / "docs" / name).exists()] == []
    before = {path: path.stat().st_mtime_ns for path in docs.rglob("*") if path.is_file()}
    (project / "reference_impl/__init__.py").unlink()
    (project / "docs/part/more.md").write_text("---\ntitle: More\n---\n\nText.\n")
    assert generate.generate_sources(project) == [
        "part/more.md:1: no `pages` list names this page\n    add it to `pages` in part/index.md"
    ]
    after = {path: path.stat().st_mtime_ns for path in docs.rglob("*") if path.is_file()}
    assert {path.relative_to(docs).parts[0] for path in before.keys() - after.keys()} == {"engine"}
    assert not (docs / "engine").exists()
    assert {path: time for path, time in after.items() if before.get(path) != time}.keys() == {docs / "part/more.md"}
    nav = yaml.safe_load((project / generate.NAV).read_text())["nav"]
    assert nav == [{"Home": "index.md"}, {"Part": ["part/index.md", "part/more.md"]}]


def run_module(root: Path, project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m` with these arguments in the folder of the project."""
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=project, env=environment(root), capture_output=True, text=True)


def test_a_problem_makes_the_command_fail(project: Path, root: Path) -> None:
    (project / "docs/part/more.md").write_text("Text.\n")
    completed = run_module(root, project, "gradnotes.site.generate")
    assert (completed.returncode, completed.stderr) == (
        1,
        "part/more.md:1: no `pages` list names this page\n    add it to `pages` in part/index.md\n",
    )
    assert run_module(root, project, "gradnotes.site.generate", "--no-strict").returncode == 0
    completed = run_module(root, project, "gradnotes.site.finish", "site")
    assert (completed.returncode, completed.stderr) == (1, "finish: site is not a built site: run `make build`\n")
