"""Compare the HTML of the pages of small_project/, and the texts of *Run* and *Check*, with the files in small_project/expected.

After an intended change, `APPROVE=1 pytest tests/site/test_exact_output.py` writes these files again: read the diff before you
commit it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import markdown
import pytest

from gradnotes.browser.check_exercise import judge
from gradnotes.browser.run import run_program
from gradnotes.engine_source.symbol_links import pages_by_operation
from gradnotes.exercises.parser import load
from gradnotes.project import Project

SMALL_PROJECT = Path(__file__).parent / "small_project"
EXPECTED = SMALL_PROJECT / "expected"
EXTENSIONS = ["admonition", "attr_list", "tables", "toc", "gradnotes.fences"]
PAGES = sorted(page.relative_to(SMALL_PROJECT / "docs").as_posix() for page in SMALL_PROJECT.glob("docs/**/*.md"))


@pytest.fixture(scope="module")
def small_project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy small_project/, and add links to the engine and to the packages that record runs on it."""
    folder = tmp_path_factory.mktemp("small_project") / "project"
    shutil.copytree(SMALL_PROJECT, folder, ignore=shutil.ignore_patterns("expected", "__pycache__"))
    for name in ("reference_impl", "harness", "gradnotes"):
        (folder / name).symlink_to(root / name)
    return folder


def check_approved(name: str, text: str) -> None:
    """Check that `text` equals the file `name` in small_project/expected. If APPROVE is set, write the file first."""
    expected_file = EXPECTED / name
    if os.environ.get("APPROVE"):
        expected_file.parent.mkdir(exist_ok=True)
        expected_file.write_text(text, encoding="utf-8")
    assert text == expected_file.read_text(encoding="utf-8"), (
        f"{expected_file} differs; if the new text is right, set APPROVE=1 and run the test again"
    )


def insert_line_breaks(markup: str) -> str:
    """Insert a line break before each start tag that follows another tag, except before highlighted words of a program."""
    return re.sub(r'(?<=>)(?=<(?!/|span class="[a-z]{1,2}"))', "\n", markup)


@pytest.mark.parametrize("page", PAGES)
def test_the_html_of_a_page_is_as_approved(small_project: Path, page: str) -> None:
    converter = markdown.Markdown(
        extensions=EXTENSIONS, extension_configs={"gradnotes.fences": {"root": str(small_project)}}
    )
    relative_path_processor = SimpleNamespace(file=SimpleNamespace(src_uri=page), run=lambda root: None)
    converter.treeprocessors.register(relative_path_processor, "relpath", 0)  # type: ignore[arg-type]  # the page, as MkDocs provides it
    text = (small_project / "docs" / page).read_text(encoding="utf-8").partition("\n---\n")[2]
    html = converter.convert(text)
    check_approved(page.replace("/", "-").replace(".md", ".html"), insert_line_breaks(html) + "\n")


def test_pages_by_operation_and_by_snippet_are_as_approved(small_project: Path) -> None:
    project = Project(small_project)
    pages = {"taught": pages_by_operation(project), "shown": project.pages_by_snippet()}
    check_approved("project.json", json.dumps(pages, indent=1, sort_keys=True) + "\n")


BACKWARD = (SMALL_PROJECT / "snippets/part/backward.py").read_text()
EDITS = {
    "the program of the page": BACKWARD,
    "another expected output": BACKWARD.replace("#> tensor(6.)", "#> tensor(7.)"),
    "another number": BACKWARD.replace("3.0", "5.0"),
    "an additional line": BACKWARD.replace("w.grad = None\n", "w.grad = None\nprint('mine', y.requires_grad)\n"),
    "lines changed and swapped": BACKWARD.replace("y - 4", "y - 3").replace("x.grad, w.grad", "w.grad, x.grad"),
    "without its end": BACKWARD.partition("w.grad = None")[0],
    "an error in a function": "import torch\n\n\ndef half(x):\n    return x.sgn(2)\n\n\nprint('before')\nhalf(torch.ones(2))\nprint('never')\n",
    "warnings and what goes to stderr": "import sys, warnings\nfor i in range(2):\n    warnings.warn(f'<{i}>')\nprint(1, file=sys.stderr)\nprint('a\\nb')\n",
    "means over windows": "import torch\nx = torch.ones(1, 1, 2, 2, requires_grad=True)\nmean = torch.nn.functional.avg_pool2d\nmean(x, 2).sum().backward()\nmean(x, 2, divisor_override=3).sum().backward()\n",
    "a loss of classes": "import torch\ns = torch.zeros(2, 3, requires_grad=True)\ntorch.nn.functional.cross_entropy(s, torch.tensor([0, 2])).backward()\n",
    "branches that cross": "import torch\na, b, c = (torch.tensor(1.0, requires_grad=True) for _ in range(3))\n(((a * c).sin() + b.exp()) * (a * b) + (c + a).cos()).backward()\n",
    "not Python": "import torch\nx = (1,\n",
}
TEXT_LIKE_OUTPUT = 'text = """\n#> in the program\n"""\n#> left out\nprint(text)\n'


def test_results_of_run_are_as_approved() -> None:
    """Compare the texts and drawings that *Run* produces for edits of a program, and the reports that it sends during a run."""
    answers = {
        name: json.loads(run_program(text, f"run-{at}", BACKWARD)) for at, (name, text) in enumerate(EDITS.items())
    }
    progress: dict[int, str] = {}  # the last report per line, since the number of reports depends on time
    run_program(
        EDITS["an additional line"],
        "run",
        BACKWARD,
        lambda report: progress.update({json.loads(report)["line"]: report}),
    )
    page = (SMALL_PROJECT / "snippets/part/sum.py").read_text()
    answers["with a title and a manifest"] = json.loads(run_program(page.replace("2 + 2", "2 + 3"), "run-head", page))
    parts = [f"== {name}\n{insert_line_breaks(json.dumps(answer, indent=1))}\n" for name, answer in answers.items()]
    check_approved(
        "answers.txt", "".join([*parts, "== reports while it runs\n", *(f"{report}\n" for report in progress.values())])
    )


def test_results_of_check_are_as_approved(small_project: Path) -> None:
    """Compare the texts that *Check* produces for the start, the solution and each known wrong answer.

    Also compare those for programs that raise an error, that contain text like output lines, and that are not Python.
    """
    results = []
    for path in sorted(small_project.glob("exercises/part/*.py")):
        exercise = load(path, small_project / "exercises")
        check_data = json.dumps(
            {"check": exercise.check, "errors": [{"error": w.error} for w in exercise.wrongs if w.error]}
        )
        if exercise.solution:
            for text in (
                exercise.start,
                exercise.solution.text,
                *(answer.text for answer in exercise.wrongs),
                exercise.start + "1 / 0\n",
                TEXT_LIKE_OUTPUT + exercise.start,
                "(",
            ):
                results.append(f"== {exercise.name}\n{insert_line_breaks(judge(text, check_data))}\n")
    check_approved("checks.txt", "".join(results))
