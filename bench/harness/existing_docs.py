"""Time doctest, Sybil, pytest-examples and this harness on the examples of other projects.

    .venv/bin/python bench/harness/existing_docs.py [--repeat 5]

`snippetcheck import` turns the docstrings of two installed packages into programs. Each program that all formats can express is
written to two pages, as `>>>` examples and as a fence with `#>` lines, and every tool reads the form that it supports. The tools take
turns. The measurements are CPU seconds (user and system) of all processes of a run. They include the start of pytest and the imports,
and go to docs/evidence/existing_docs_bench.json.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import corpus
from corpus import Program
from peers import ROOT, TOOLS, VENVS, Tool, run_in
from run import machine
from snippetcheck.settings import load_settings
from snippetcheck.snippet import files

from gradnotes.evidence.provenance import describe_sources, with_imports

RESULTS = ROOT / "docs" / "evidence" / "existing_docs_bench.json"
PACKAGES_FOLDER = VENVS / "packages"
PROMPTS, FENCES = "`>>>`", "fences with `#>`"


@dataclass(frozen=True)
class Package:
    """An installed package with doctests.

    Attributes:
        requirement: the package and its version, for pip.
        folder: the folder of the package whose docstrings are read.
        setup: the code that the project's doctest configuration runs before each docstring.
    """

    name: str
    module: str
    requirement: str
    folder: str = "."
    setup: str = ""

    def settings(self, *lines: str) -> str:
        """Return the text of a pyproject.toml for the harness. `lines` are added to its section [tool.snippetcheck]."""
        head = "\n".join(["[tool.snippetcheck]", *lines])
        engine = f"preload = [{json.dumps(self.module)}]\npath = [{json.dumps(str(PACKAGES_FOLDER))}]"
        return f"{head}\n[tool.snippetcheck.engines.python]\n{engine}\n"

    def programs(self) -> list[Program]:
        """Return the programs that `snippetcheck import` finds in the package's docstrings and every format can express.

        Their names become p0000, p0001, ... The report of the import is printed.
        """
        module_spec = importlib.util.find_spec(self.module)
        assert module_spec and module_spec.origin
        source = Path(module_spec.origin).parent / self.folder
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            (folder / "snippets").mkdir()
            options = f"doctest_setup = {json.dumps(self.setup)}", 'doctest_options = ["NORMALIZE_WHITESPACE"]'
            (folder / "pyproject.toml").write_text(self.settings(*options))
            command = [sys.executable, "-m", "snippetcheck", "import", str(source)]
            report = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            print(f"{self.name}: {report.stdout.splitlines()[-1]}{report.stderr}", flush=True)
            settings = load_settings(folder)
            snippets = [settings.load(path) for path in files(folder / "snippets")]
        usable_snippets = [corpus.program(snippet) for snippet in snippets if corpus.is_expressible(snippet)]
        return [replace(program, name=f"p{number:04}") for number, program in enumerate(usable_snippets)]


PACKAGES = (
    Package("more-itertools", "more_itertools", "more-itertools==11.2.1"),
    Package("networkx", "networkx", "networkx==3.6.1", "classes", "import networkx as nx"),
)


def tools(package: Package) -> list[tuple[str, Tool]]:
    """Return pairs (form of the examples, tool). A tool has a pair for every form that it reads."""
    in_place = (("pyproject.toml", package.settings('examples = ["*.md"]')),)
    peers = {tool.name: tool for tool in TOOLS}
    harness = replace(peers["this harness"], suffix=".md", arguments=(".",), extra=in_place, folder=".")
    return [
        (PROMPTS, peers["doctest"]),
        (PROMPTS, peers["sybil"]),
        (PROMPTS, replace(harness, format_program=corpus.as_doctest)),
        (FENCES, peers["pytest-examples"]),
        (FENCES, replace(harness, format_program=corpus.as_printed_comments)),
    ]


def measure(package: Package, repeat: int) -> list[dict[str, Any]]:
    """Run every tool `repeat` times, one tool after the other in each round, and return a row of measurements for each tool.

    The keys are package, examples (their number), form, tool, version, passed (how many examples passed in the last run), and those of
    `_summarize`.
    """
    programs = package.programs()
    rows: list[tuple[dict[str, Any], Tool, Path, list[float]]] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        for number, (form, tool) in enumerate(tools(package)):
            folder = Path(name, str(number))
            folder.mkdir()
            row = {"package": package.name, "examples": len(programs), "form": form, "tool": tool.name}
            rows.append((row | {"version": tool.install()}, tool, folder, []))
            tool.write(programs, folder)
            tool.update(folder)
        for _ in range(repeat):
            for row, tool, folder, seconds in rows:
                outcome = run_in(tool, folder)
                row["passed"] = sum(verdict == "passed" for verdict in outcome.verdicts.values())
                seconds.append(outcome.cpu)
    base = statistics.median(rows[0][-1])
    return [row | _summarize(seconds, base) for row, _, _, seconds in rows]


def _summarize(seconds: list[float], base: float) -> dict[str, Any]:
    """Summarize the CPU seconds of the runs of a tool: their median as "cpu_seconds", minimum as "least" and maximum as "most".

    "runs" is the number of runs, "times_doctest" the ratio of the median to `base`, doctest's median.
    """
    median = statistics.median(seconds)
    return {
        "cpu_seconds": round(median, 2),
        "least": round(min(seconds), 2),
        "most": round(max(seconds), 2),
        "runs": len(seconds),
        "times_doctest": round(median / base, 2),
    }


def main() -> None:
    """Install the packages if they are missing, measure, and write the evidence file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="number of rounds (default 5)")
    options = parser.parse_args()
    names = [package.requirement for package in PACKAGES]
    if not PACKAGES_FOLDER.exists():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(PACKAGES_FOLDER), *names]
        subprocess.run(command, check=True)
    os.environ["PYTHONPATH"] = str(PACKAGES_FOLDER)
    sys.path.insert(0, str(PACKAGES_FOLDER))
    sources = {
        "harness": ["harness/src/snippetcheck"],
        "judge": with_imports(ROOT, "bench/harness/existing_docs.py"),
    }
    provenance = describe_sources(ROOT, "python bench/harness/existing_docs.py", sources, ("pytest",))
    rows = [row for package in PACKAGES for row in measure(package, options.repeat)]
    RESULTS.write_text(json.dumps({"rows": rows, "machine": machine(), "provenance": provenance}, indent=1) + "\n")
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
