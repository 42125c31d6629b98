"""Follow a page of docs/use-the-harness: write its files, run its commands, and compare their output.

The commands run in an environment that contains only what the page's `pip install` lines install.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from sample_environments import HARNESS, environment, repository
from snippetcheck.pages import find_fences

PAGES = HARNESS.parent / "docs" / "use-the-harness"
# Maps a command on a page to a function that makes a context manager, within which the command runs on a changed project.
Changes = Mapping[str, Callable[["Shell"], AbstractContextManager[object]]]


@dataclass
class Shell:
    """Runs command lines of a page in a project's folder, with the virtual environment that the page's `pip install` lines make."""

    folder: Path
    environments: Path  # the folder that contains the virtual environments
    installed: tuple[str, ...] = ()  # the `pip install` lines that have run

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a command line in bash. A `pip install` line is not run: it extends the environment for the lines after it."""
        if line.startswith("pip install "):
            for path in re.findall(r"\S+/[\w/]+", line.replace('"', " ")):
                assert (self.folder / path / "pyproject.toml").is_file(), f"`{line}`: {path} contains no pyproject.toml"
            self.installed += (line,)
            environment(self.environments, self.installed)
            return subprocess.CompletedProcess(line, 0, "", "")
        programs = environment(self.environments, self.installed).parent
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GITHUB"))}
        variables = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "GIT_CONFIG_COUNT": "1",  # git clones a copy of this checkout instead of the repository on GitHub
            "GIT_CONFIG_KEY_0": f"url.file://{repository(self.environments)}.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://github.com/OWNER/gradnotes",
        }
        return subprocess.run(
            ["bash", "-ec", line],
            cwd=self.folder,
            env=inherited | variables,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def change(self, name: str, old: str, new: str) -> None:
        """Replace the text `old`, which must occur exactly once, in the file `name` of the project."""
        file = self.folder / name
        text = file.read_text()
        assert text.count(old) == 1, f"{name}: {old!r} must occur once, got {text.count(old)} times"
        file.write_text(text.replace(old, new))


class GuidePage:
    """A page of docs/use-the-harness: the files of a project that it shows, and its commands with their output."""

    def __init__(self, name: str) -> None:
        path = PAGES / f"{name}.md"
        self.text = path.read_text(encoding="utf-8")
        self.fences = find_fences(self.text, path)

    def commands(self) -> list[tuple[str, list[str]]]:
        """Return each command on the page with the lines of output that the page shows under it."""
        commands_and_outputs: list[tuple[str, list[str]]] = []
        for fence in self.fences:
            for line in fence.body if fence.info.startswith("{.console") else ():
                if line.startswith("$ "):
                    commands_and_outputs.append((line.removeprefix("$ "), []))
                else:
                    commands_and_outputs[-1][1].append(line)
        return commands_and_outputs

    def body_of(self, reason: str) -> str:
        """Return the text of the only fence whose `illustrative="..."` begins with the words `reason`."""
        (fence,) = [fence for fence in self.fences if f'illustrative="{reason} ' in fence.info]
        return "\n".join(fence.body) + "\n"

    def start(self, folder: Path, environments: Path) -> Shell:
        """Write the fences marked `illustrative="FILE of another project"` as files in `folder`. Return a shell in `folder`."""
        for fence in self.fences:
            match = re.search(r'illustrative="(\S+) of another project', fence.info)
            if match:
                file = folder / match[1]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("\n".join(fence.body) + "\n")
        return Shell(folder, environments)

    def follow(self, shell: Shell, changes: Changes, red: str, until: str = "") -> dict[str, str]:
        """Run the commands of the page up to the first that contains `until`, if given. Return stdout by command.

        Check that each command prints the lines that the page shows. The command `red` must end with exit code 1; all
        others must succeed. Only git may write to stderr. `changes` gives the context manager within which a command runs.
        """
        outputs = {}
        for command, lines in self.commands():
            with changes.get(command, lambda _: nullcontext())(shell):
                completed = shell.run(command)
            assert completed.returncode == (command == red), completed.stdout + completed.stderr
            assert is_printed(lines, completed.stdout), f"{command}\n{completed.stdout}"
            assert not completed.stderr or command.startswith("git "), completed.stderr
            outputs[command] = completed.stdout
            if until and until in command:
                break
        return outputs

    def complaints(self) -> list[str]:
        """Return the messages about fences on the page that are malformed or that nothing checks."""
        return [fence.complaint() for fence in self.fences if fence.problem]


def is_printed(lines: list[str], output: str) -> bool:
    """Return whether `lines` occur in a row in the output. Blanks at line ends and pytest's percentages do not count."""
    printed_lines = [re.sub(r"\s+\[ *\d+%\]$", "", line).rstrip() for line in output.splitlines()]
    expected_lines = [line.rstrip() for line in lines]
    return any(
        printed_lines[start : start + len(expected_lines)] == expected_lines for start in range(len(printed_lines) + 1)
    )
