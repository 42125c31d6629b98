"""Follow README, CONTRIBUTING, FORMATS and ARCHITECTURE: examples run, recipes work, and named files exist.

Also install the harness as the guide to the harness says; harness/tests/test_guide.py follows the rest of that guide.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import markdown
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from snippetcheck import ledger
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import load_settings

from gradnotes import ledger as site_ledger
from gradnotes.exercises.parser import parse
from gradnotes.exercises.validate import find_problems
from gradnotes.fences.extension import FENCE_RENDERERS
from gradnotes.notes import erratum, inventory
from gradnotes.site import redirects
from tests.files import write_files

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FORMATS = (ROOT / "FORMATS.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
FOLDERS_WITH_README = ("reference_impl", "gradnotes", "tests", "tests/engine", "tests/site")
GUIDE = (ROOT / "docs" / "use-the-harness" / "files.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAMS = [code for language, code in FENCED.findall(FORMATS) if language == "python"]
INDENTED = re.compile(r"(?:^ {4,}.*\n|^\n(?= {4}))+", re.MULTILINE)


def indented_blocks(text: str) -> list[str]:
    """Return the code blocks that a Markdown text marks by indentation."""
    blocks = (textwrap.dedent(match[0]).strip("\n") for match in INDENTED.finditer(FENCED.sub("", text)))
    return [block for block in blocks if block]


def recipe(title: str) -> str:
    """Return the section of CONTRIBUTING.md with this title."""
    return CONTRIBUTING.split(f"## {title}\n")[1].split("\n## ")[0]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run `python` with these arguments in `folder`. It can import the packages of this checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "harness" / "src")])
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a project with this repository's engines and settings, without snippets and pages. Return its folder.

    Its engines do not preload sklearn, which the documents' examples do not use: importing it takes longer than the examples.
    """
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("[tool.snippetcheck]")[1]
    settings = settings.replace(', "sklearn.datasets"', "")
    (tmp_path / "pyproject.toml").write_text("[tool.snippetcheck]" + settings)
    (tmp_path / "reference_impl").symlink_to(ROOT / "reference_impl")
    (tmp_path / "snippets").mkdir()
    (tmp_path / "docs").mkdir()
    return tmp_path


def test_the_examples_in_formats_md_pass_on_both_engines(project: Path) -> None:
    programs = [code for code in PROGRAMS if "# %% start" not in code]
    assert len(programs) == 2
    for number, program in enumerate(programs):
        (project / "snippets" / f"example{number}.py").write_text(program)
    completed = run(project, "-m", "pytest", "-p", "no:cacheprovider", "snippets")
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "4 passed" in completed.stdout, completed.stdout  # two programs, two engines


def test_the_exercise_in_formats_md_is_valid_on_both_engines(project: Path) -> None:
    (text,) = [code for code in PROGRAMS if "# %% start" in code]
    exercise = parse(text, Path("example.py"), "example.py")
    settings = load_settings(project)
    with Runner(settings) as session:
        for engine in settings.engine_names:
            assert find_problems(exercise, lambda snippet: session.result(snippet, engine)) == []  # noqa: B023


def test_the_examples_in_formats_md_print_their_expected_output(project: Path) -> None:
    """Run the two examples on PyTorch without the harness."""
    programs = [code for code in PROGRAMS if "# %% start" not in code]
    script = "import runpy, sys\nfor name in sys.argv[1:]:\n    try:\n        runpy.run_path(name)\n    except RuntimeError as e:\n        print('ended:', e)\n"
    for number, program in enumerate(programs):
        (project / f"example{number}.py").write_text(program)
    shutil.rmtree(project / "snippets")
    completed = run(project, "-c", script, *[f"example{number}.py" for number in range(len(programs))])
    assert completed.returncode == 0, completed.stderr
    printed = [line for line in completed.stdout.splitlines() if not line.startswith("ended:")]
    assert printed == [line[3:] for program in programs for line in program.splitlines() if line.startswith("#>")]
    assert completed.stdout.count("ended: Trying to backward through the graph a second time") == 1


def test_every_fence_in_formats_md_is_rendered() -> None:
    fences = [block for block in indented_blocks(FORMATS) if block.startswith("``` ")]
    kinds = [re.match(r"``` \{?\.?(\w+)", block)[1] for block in fences]  # type: ignore[index]
    assert kinds == [
        "snippet",
        "engine",
        "steps",
        "figure",
        "errata",
        "ideas",
        "card",
        "evidence",
        "text",
        "figure",
        "predict",
    ]
    options = {
        "gradnotes.fences": {"root": str(ROOT)}
    }  # without the option `logger`, a malformed fence raises an error
    extensions = ["attr_list", "gradnotes.fences"]
    for fence in fences:
        html = markdown.markdown(fence, extensions=extensions, extension_configs=options)
        assert "```" not in html, fence  # otherwise it was not recognized as a fence


def test_every_fence_type_is_described_in_formats_md() -> None:
    name_groups = set(re.findall(r"`` ([a-z]+)\n|fence `([a-z]+)`|`([a-z]+)` fence", FORMATS))
    assert set(FENCE_RENDERERS) - {name for names in name_groups for name in names} == set()


def test_front_matter_idea_and_erratum_in_formats_md_are_parsed(tmp_path: Path) -> None:
    """Parse each example.

    Below docs/, an erratum must have the same id, ideas, passages, tier and proof, and an idea the same id.
    """
    (matter,) = [block for block in indented_blocks(FORMATS) if block.startswith("---\n")]
    assert set(yaml.safe_load(matter.strip("-\n"))) == {"title", "description", "pages"}
    idea, entry = [code for language, code in FENCED.findall(FORMATS) if language == "yaml"]
    (tmp_path / "in-place.yml").write_text(entry)
    (example,) = erratum.load(tmp_path).values()
    (real,) = [erratum for erratum in erratum.load(ROOT / "docs" / "errata").values() if erratum.id == example.id]
    assert (example.corrects, example.at, example.tier, example.proof) == (
        real.corrects,
        real.at,
        real.tier,
        real.proof,
    )
    (tmp_path / "inventory.yml").write_text(idea)
    (example_idea,) = inventory.load_ideas(tmp_path / "inventory.yml")
    assert example_idea.id in {idea.id for idea in inventory.load_ideas(ROOT / "docs" / "inventory.yml")}


def test_an_example_is_added_as_contributing_says(project: Path) -> None:
    """Follow the three steps (write, bless, embed) in a project with a copy of the page. The ledger must not list the example."""
    section = recipe("Add an example")
    program, bless, fence = indented_blocks(section)
    name = re.search(r"`(snippets/[\w/-]+\.py)` for `(docs/[\w/-]+\.md)`", section)
    assert name is not None
    snippet, page = project / name[1], project / name[2]
    assert not (ROOT / name[1]).exists(), "the site now has the example of CONTRIBUTING.md: choose another"
    page.parent.mkdir(parents=True)
    snippet.parent.mkdir(parents=True)
    shutil.copy(ROOT / name[2], page)
    snippet.write_text(program + "\n")

    command = bless.removeprefix(".venv/bin/python ")
    assert command != bless
    completed = run(project, *command.split())
    assert completed.returncode == 0, completed.stdout + completed.stderr
    blessed = snippet.read_text()
    assert "\n#> 0\n" in blessed
    assert "\n#! RuntimeError: one of the variables needed for gradient computation has been modified" in blessed

    page.write_text(page.read_text() + f"\n{fence}\n")
    settings = load_settings(project)
    added_snippet = settings.load(snippet)
    assert set(added_snippet.manifest.covers) <= {
        entry["id"] for entry in site_ledger.entries(ROOT / "docs" / "inventory.yml")
    }
    assert ledger.unembedded_snippets(settings.pages_dir, {added_snippet.name: added_snippet}) == []
    assert [
        problem
        for problem in ledger.invalid_fences(settings.pages_dir, {added_snippet.name: added_snippet})
        if added_snippet.name in str(problem)
    ] == []


def test_an_operation_is_added_as_contributing_says(tmp_path: Path) -> None:
    """Follow the steps in a copy of the engine: declare, copy the signature from torch, compare on torch's samples."""
    section = recipe("Add an operation")
    declaration, signatures, judge = indented_blocks(section)
    module, name = re.search(r"`(reference_impl/ops/\w+\.py)`:", section), re.search(r"For `torch\.([\w.]+)`", section)
    assert module is not None and name is not None
    for folder in ("reference_impl", "tests/engine"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / module[1]).open("a", encoding="utf-8") as file:
        file.write(f"\n{declaration}\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "harness" / "src")])}
    for command in (signatures, judge):
        assert command.startswith(".venv/bin/python ")
        completed = subprocess.run(
            [sys.executable, *command.split()[1:]], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert completed.returncode == 0, completed.stdout + completed.stderr
    quoted_output = re.search(r"It prints `(.*?)\.\.\.\)`", section)
    assert quoted_output is not None and quoted_output[1] in completed.stdout, completed.stdout
    signature_list = (tmp_path / "reference_impl" / "arguments" / "signatures.txt").read_text(encoding="utf-8")
    assert f"\n{name[1].replace('.', '_')}(Tensor input, *, Tensor out=None)\n" in signature_list


def test_a_page_is_renamed_as_contributing_says(tmp_path: Path) -> None:
    """Check that the command leaves no file with the old name, and that the former address redirects to the new page."""
    command, line = indented_blocks(recipe("Rename a page"))
    docs, site = tmp_path / "docs", tmp_path / "site"
    write_files(
        tmp_path, {"docs/page.md": "``` snippet\nfile: in-place/counters/a.py\n```\n[B](in-place/counters.md#b)\n"}
    )
    for git_command in ("git init --quiet", "git add .", command):
        subprocess.run(git_command, shell=True, cwd=tmp_path, check=True, timeout=60)
    assert (
        docs / "page.md"
    ).read_text() == "``` snippet\nfile: in-place/versions/a.py\n```\n[B](in-place/versions.md#b)\n"
    (docs / "page.md").unlink()
    (docs / "in-place").mkdir(parents=True)
    (docs / "index.md").write_text("---\ntitle: Home\nparts: [in-place]\n---\n")
    (docs / "in-place" / "index.md").write_text("---\ntitle: Part\npages: [versions]\n---\n")
    (docs / "in-place" / "versions.md").write_text(f"---\ntitle: Versions\n{line}\n---\n")
    (stub,) = redirects.write(docs, site)
    assert stub == site / "in-place" / "counters.html"
    assert 'href="versions.html"' in stub.read_text(encoding="utf-8")


def test_each_file_in_the_release_recipe_contains_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    names = re.findall(r"`([\w./]+\.(?:toml|cff|md))`", recipe("Release"))
    assert len(names) == 4
    for name in names:
        assert version in (ROOT / name).read_text(encoding="utf-8"), name


def test_paths_and_commands_in_the_table_of_architecture_md_exist() -> None:
    """Check the paths in the table *Where do I change ...*, and the tests, modules and targets in its last column."""
    rows = ARCHITECTURE.split("## Where do I change ...\n")[1].strip().splitlines()[2:]
    assert len(rows) >= 20
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for row in rows:
        _, paths_cell, command = (cell.strip() for cell in row.strip("|").split("|"))
        for path in re.findall(r"`([\w.-]*/[\w./-]*)`", paths_cell):
            assert (ROOT / path).exists(), row
        for path in re.findall(r"pytest ([\w./]+)", command):
            assert (ROOT / path).exists(), row
        for module in re.findall(r"python -m ([\w.]+)", command):
            module_path = ROOT / module.replace(".", "/")
            assert module_path.with_suffix(".py").exists() or (module_path / "__main__.py").exists(), row
        assert set(re.findall(r"make ([a-z-]+)", command)) <= targets, row


@pytest.mark.parametrize("folder", FOLDERS_WITH_README)
def test_the_readme_of_a_folder_names_files_that_exist(folder: str) -> None:
    """Look up paths in the README's folder and the repository, and file names anywhere below the README's folder."""
    prose = INDENTED.sub("", FENCED.sub("", (ROOT / folder / "README.md").read_text(encoding="utf-8")))
    for name in re.findall(r"`((?:\.\./)*[\w/-]*(?:\w/|\w\.(?:py|md|js)))`", prose):
        paths = [ROOT / folder / name, ROOT / name]
        assert any(path.exists() for path in paths) or any((ROOT / folder).rglob(f"*/{name}")), f"{folder}: {name}"


def test_targets_and_paths_in_the_texts_exist() -> None:
    """Check `make` targets in the workflows, and targets and paths in README, CONTRIBUTING, FORMATS and ARCHITECTURE."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    workflows = "".join(path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    assert set(re.findall(r"run: make ([a-z-]+)$", workflows, re.MULTILINE)) == {"runtime", "publish", "processors"}
    assert {"runtime", "publish"} <= targets
    for text in (README, CONTRIBUTING, FORMATS, ARCHITECTURE):
        assert set(re.findall(r"\bmake ([a-z-]+)`", text)) <= targets
        for path in re.findall(r"\]\(((?!http)[^)#]+)\)|`([\w.]+/[\w./-]*\w)`", text):
            name = path[0] or path[1]
            if (
                "<" not in name
                and "name." not in name
                and not name.startswith(("snippets/in-place/versions/saved", "..", ".venv"))
            ):
                assert (ROOT / name).exists(), name


def scripts_run_by_path() -> list[str]:
    """Return the Python files that the Makefile, workflows, Markdown files or benchmarks run by path (`python PATH`)."""
    texts = [ROOT / "Makefile", *ROOT.glob(".github/workflows/*.yml"), *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    texts += ROOT.glob("bench/**/*.py")
    commands = re.compile(r"python ((?:bench|tests|gradnotes)/[\w/]+\.py)")
    return sorted({script for text in texts for script in commands.findall(text.read_text(encoding="utf-8"))})


@pytest.mark.parametrize("script", scripts_run_by_path())
def test_a_script_run_by_its_path_finds_what_it_imports(script: str) -> None:
    """Look up the imports as Python does for a script: beside the script, not in the current folder."""
    path = ROOT / script
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module).split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}
    program = (
        "import sys; from importlib.util import find_spec; sys.path.insert(0, sys.argv[1]); "
        "print(*[name for name in sys.argv[2:] if find_spec(name) is None])"
    )
    command = [sys.executable, "-I", "-c", program, str(path.parent), *sorted(names)]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (completed.stdout.split(), completed.stderr) == ([], ""), f"run {script} with -m, or correct its imports"


def test_the_harness_is_installed_as_its_guide_says(tmp_path: Path) -> None:
    """Install with pip the folder that the guide names, and import the installed package."""
    command = re.search(r"^\$ pip install \.\./gradnotes/(\w+)$", GUIDE, re.MULTILINE)
    assert command is not None
    source, target = tmp_path / "gradnotes", tmp_path / "target"
    shutil.copytree(ROOT / command[1], source, ignore=shutil.ignore_patterns("*.egg-info", "tests", "__pycache__"))
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(target)]
    completed = run(tmp_path, "-m", "pip", "install", *offline, str(source))
    assert completed.returncode == 0, completed.stderr
    metadata_files = {path.name for path in target.rglob("*.dist-info/**/*")}
    assert {"LICENSE", "METADATA", "entry_points.txt"} <= metadata_files
    assert (target / "snippetcheck" / "py.typed").is_file()
    script = "import sys; sys.path.insert(0, sys.argv[1]); import snippetcheck.__main__ as m; print(m.__file__)"
    completed = subprocess.run(
        [sys.executable, "-c", script, str(target)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert str(target) in completed.stdout, completed.stderr


def test_the_introduction_of_the_readme_fits_on_one_screen() -> None:
    """Allow 32 lines above the first section, and 160 characters in each line of the README."""
    opening = README.split("\n## ")[0].splitlines()
    assert len(opening) <= 32
    assert max(map(len, README.splitlines())) <= 160


def test_links_in_a_released_readme_are_absolute_and_exist(tmp_path: Path) -> None:
    """Prepare a release of a fork. Links in its READMEs must be absolute, and links to the fork must lead to existing files."""
    for name in ("pyproject.toml", "README.md", "harness/pyproject.toml", "harness/README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    program = str(ROOT / ".github" / "prepare_release.py")
    repository = "https://github.com/name/fork"
    completed = run(tmp_path, program, repository, f"v{version}")
    assert completed.returncode == 0, completed.stderr
    for folder in ("", "harness/"):
        project = tomllib.loads((tmp_path / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["urls"]["Source"] == repository and project["authors"] and project["classifiers"]
        links = re.findall(r"\]\(([^)]+)\)", (tmp_path / folder / "README.md").read_text(encoding="utf-8"))
        for link in links:
            assert link.startswith("https://"), link
            if link.startswith(repository):
                assert (ROOT / link.split(f"/v{version}/")[1].partition("#")[0]).exists(), link
    completed = run(tmp_path, program, repository, "v9.9.9")
    assert completed.returncode != 0 and f"tag v{version}" in completed.stderr


def test_a_missing_harness_is_reported_with_the_command_that_installs_it(tmp_path: Path) -> None:
    """Import gradnotes without snippetcheck, which `pip install '.[site]'` does not install."""
    (tmp_path / "gradnotes").symlink_to(ROOT / "gradnotes")
    program = "import sys; sys.path = [''] + [p for p in sys.path if 'site-packages' not in p]; import gradnotes"
    completed = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "run: python -m pip install --editable harness" in completed.stderr


def _required(folder: str, extras: str) -> set[str]:
    """Return the names of the packages that `pip install FOLDER[EXTRAS]` asks for, without those that they need themselves."""
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = sum(
        (project["optional-dependencies"][extra] for extra in extras.split(",") if extra), project["dependencies"]
    )
    return {canonicalize_name(Requirement(line).name) for line in lines}


def _installed(command: str) -> set[str]:
    """Return the names of the packages that a line `pip install ...` of a workflow names, or that its folders ask for."""
    folders = re.findall(r"--editable '?([\w.]+)(?:\[([\w,]+)\])?", command)
    return set(command.split()).union(*(_required(folder, extras) for folder, extras in folders))


def test_a_workflow_installs_what_its_tests_and_examples_need() -> None:
    """Check that tests of the engine and the harness have their packages in CI, and that torch's newest version finds all that it preloads."""
    folder = ROOT / ".github" / "workflows"
    tests = re.search(
        r"pip install .*(?=\n.*pytest harness/tests tests/engine)", (folder / "ci.yml").read_text("utf-8")
    )
    examples = re.search(r"pip install .*", (folder / "newest-torch.yml").read_text("utf-8"))
    assert tests is not None and examples is not None
    needed = _required("harness", "test") | _required("", "site,test")  # conftest.py imports the packages of the site
    assert needed - {"snippetcheck"} <= _installed(tests[0])
    engine = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["snippetcheck"]["engines"][
        "torch"
    ]
    imported = {module.partition(".")[0].replace("sklearn", "scikit-learn") for module in engine["preload"]}
    assert {*imported, *engine["distributions"], "tensorboard", "torchvision"} <= _installed(examples[0])


def test_project_citation_and_changelog_have_the_same_version() -> None:
    project = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert project is not None
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == project[1]
    assert f"## {project[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fake_python", "message"),
    [
        ("exit 1\n", "is not Python 3.11 or newer: install one, or set PYTHON"),
        ('[ "$1" = -c ] && exit 0\nmkdir -p .venv/bin && touch .venv/bin/python\necho no ensurepip >&2\nexit 1\n', "no ensurepip"),
    ],
    ids=["old version", "venv fails"],
)  # fmt: skip
def test_a_python_that_cannot_be_used_leaves_no_environment(fake_python: str, message: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    python = tmp_path / "fake-python"
    python.write_text(f"#!/bin/sh\n{fake_python}")
    python.chmod(0o755)
    completed = subprocess.run(
        ["make", ".venv/bin/python", f"PYTHON={python}"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert completed.returncode == 2 and message in completed.stderr, completed.stderr
    assert not (tmp_path / ".venv").exists()


def test_the_newest_python_that_runs_is_used(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    commands = tmp_path / "bin"
    commands.mkdir()
    # The first two fail, like a command of pyenv for a version that is not selected.
    for version, status in (("3.14", 127), ("3.13", 127), ("3.12", 0), ("3.11", 0), ("3", 0)):
        command = commands / f"python{version}"
        command.write_text(f"#!/bin/sh\nexit {status}\n")
        command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{commands}{os.pathsep}/usr/bin{os.pathsep}/bin"}
    environment.pop("PYTHON", None)
    command_lines = ["make", "--dry-run", ".venv/bin/python"]
    completed = subprocess.run(command_lines, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert f"{commands}/python3.12 -m venv .venv" in completed.stdout, completed.stdout + completed.stderr
