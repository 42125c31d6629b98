"""Create the virtual environments that `pip install` lines describe, without network.

A package that pip would download is linked from the environment that runs the tests.
"""

from __future__ import annotations

import functools
import importlib.metadata
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HARNESS = Path(__file__).resolve().parents[1]
INSTALL = "pip install ../gradnotes/harness"
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")


@functools.cache
def repository(folder: Path) -> Path:
    """Create the git repository `folder`/gradnotes with only harness/ of this checkout. Return its path."""
    root = folder / "gradnotes"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(HARNESS, root / "harness", ignore=ignored)
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "The harness"]):
        subprocess.run([*GIT, *command], cwd=root, check=True, capture_output=True)
    return root


@functools.cache
def environment(folder: Path, lines: tuple[str, ...]) -> Path:
    """Return the interpreter of a virtual environment that contains what these `pip install` lines install.

    Each environment is created once. The packages that a line names are linked. If a line names a folder, such as
    `../gradnotes/harness`, the requirements of that folder are linked, and pip, which runs in a folder beside
    `repository`, installs the folder itself.
    """
    root = Path(tempfile.mkdtemp(prefix="environment", dir=folder))
    python = root / "bin" / "python"
    if not lines:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", root], check=True)
        link(root, ["pip", "setuptools"])  # pip would download setuptools to build with
        return python
    shutil.copytree(environment(folder, lines[:-1]).parents[1], root, symlinks=True, dirs_exist_ok=True)
    arguments = shlex.split(lines[-1].removeprefix("pip install "))
    link(root, [name for argument in arguments for name in packages(argument)])
    if any(map(is_folder, arguments)):
        project = repository(folder).with_name("project")
        project.mkdir(exist_ok=True)
        offline = ["--no-index", "--no-build-isolation", "--no-warn-script-location"]
        pip = [
            str(python),
            "-m",
            "pip",
            "--isolated",
            "--quiet",
            "--disable-pip-version-check",
            "install",
            *offline,
            *arguments,
        ]
        completed = subprocess.run(pip, cwd=project, capture_output=True, text=True)
        assert (completed.returncode, completed.stderr) == (0, ""), completed.stderr
    return python


def is_folder(argument: str) -> bool:
    """Return True if an argument of `pip install` is the path of a folder."""
    return "/" in argument


def packages(argument: str) -> Iterable[str]:
    """Return the names of the packages to link for an argument of `pip install`.

    For a folder, such as `../gradnotes/harness[markdown]`, they are the requirements of the harness and of the extras
    in brackets.
    """
    if not is_folder(argument):
        return [Requirement(argument).name]
    project = tomllib.loads((HARNESS / "pyproject.toml").read_text())["project"]
    _, extras = re.fullmatch(r"([^\[]*)(?:\[(.*)\])?", argument).groups("")  # type: ignore[union-attr]
    lists = [project["optional-dependencies"][extra] for extra in extras.split(",") if extra]
    return [Requirement(requirement).name for requirement in sum(lists, project["dependencies"])]


def link(root: Path, names: Iterable[str]) -> None:
    """Link packages of the environment that runs the tests, and their dependencies, into the environment at `root`."""
    site = next((root / "lib").glob("python*/site-packages"))
    for name in sorted(set().union(*map(dependencies, names))):
        distribution = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(distribution.locate_file(top))))


def dependencies(name: str) -> set[str]:
    """Return the names of a distribution and of its direct and indirect dependencies, without those of extras."""
    names: set[str] = set()
    pending = [name]
    while pending:
        distribution = canonicalize_name(pending.pop())
        if distribution not in names:
            names.add(distribution)
            requirements = map(Requirement, importlib.metadata.requires(distribution) or ())
            pending += [
                requirement.name
                for requirement in requirements
                if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            ]
    return names
