"""Virtual environments as `pip install` lines fill them, without network: other packages are links to those of this environment."""

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
    """A repository with the harness of this checkout in it, as that of gradnotes has it."""
    root = folder / "gradnotes"
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(HARNESS, root / "harness", ignore=left_out)
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "The harness"]):
        subprocess.run([*GIT, *command], cwd=root, check=True, capture_output=True)
    return root


@functools.cache
def environment(folder: Path, lines: tuple[str, ...]) -> Path:
    """The interpreter of an environment in which these `pip install` lines were run, beside a clone of the repository.

    Made once for the same lines. Of a line with a folder in it pip itself sees to everything but the network; of any other it is only
    asked whether it names packages.
    """
    place = Path(tempfile.mkdtemp(prefix="environment", dir=folder))
    python = place / "bin" / "python"
    if not lines:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
        link(place, ["pip", "setuptools"])  # setuptools: pip would fetch it to build with
        return python
    shutil.copytree(environment(folder, lines[:-1]).parents[1], place, symlinks=True, dirs_exist_ok=True)
    asked = shlex.split(lines[-1].removeprefix("pip install "))
    link(place, [name for one in asked for name in packages(one)])
    if any(map(is_folder, asked)):
        beside = repository(folder).with_name("project")
        beside.mkdir(exist_ok=True)
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
            *asked,
        ]
        done = subprocess.run(pip, cwd=beside, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return python


def is_folder(asked: str) -> bool:
    return "/" in asked


def packages(asked: str) -> Iterable[str]:
    """The packages that pip would fetch for one of its arguments: for a folder with the harness, what its pyproject.toml names."""
    if not is_folder(asked):
        return [Requirement(asked).name]
    project = tomllib.loads((HARNESS / "pyproject.toml").read_text())["project"]
    _, extras = re.fullmatch(r"([^\[]*)(?:\[(.*)\])?", asked).groups("")  # type: ignore[union-attr]
    lists = [project["optional-dependencies"][extra] for extra in extras.split(",") if extra]
    return [Requirement(one).name for one in sum(lists, project["dependencies"])]


def link(place: Path, names: Iterable[str]) -> None:
    """Put packages of this environment and all that they need into another one."""
    site = next((place / "lib").glob("python*/site-packages"))
    for name in sorted(set().union(*map(required, names))):
        found = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(found.locate_file(top))))


def required(name: str) -> set[str]:
    """A distribution and all that it needs here, by their names."""
    found: set[str] = set()
    todo = [name]
    while todo:
        one = canonicalize_name(todo.pop())
        if one not in found:
            found.add(one)
            asked = map(Requirement, importlib.metadata.requires(one) or ())
            todo += [each.name for each in asked if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found
