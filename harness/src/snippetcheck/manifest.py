"""Read the manifest of a snippet: the `# key: value` lines under its docstring."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from snippetcheck.engines import limit_problem
from snippetcheck.expected import EXPECTATION, Fail
from snippetcheck.regions import REGION
from snippetcheck.source import SnippetError

DEFAULT_TIMEOUT = 30.0
LONGEST_TIMEOUT = 600.0
PRIVATE_VARIABLES = ("HOME", "TMPDIR", "SNIPPET_RUN")  # each run has its own value in its environment

_SCRIPT_METADATA = re.compile(r"# /// [A-Za-z0-9-]+")  # begins a block that `uv run` and `pipx run` read
_MANIFEST_LINE = re.compile(r"# ([A-Za-z_-]+)\s*:\s*(.*)$")


@dataclass(frozen=True)
class Manifest:
    """The `# key: value` lines under the docstring of a snippet."""

    covers: tuple[str, ...] = ()  # ids, which the harness does not interpret
    engines: tuple[str, ...] = ()  # on which the snippet runs
    engines_reason: str | None = None  # why the snippet does not run on the other engines
    needs: tuple[str, ...] = ()  # modules without which the snippet is skipped
    timeout: float = DEFAULT_TIMEOUT  # seconds
    skip: str | None = None  # why the snippet is not run
    when: str = ""  # conditions, see `snippetcheck.conditions`
    environment: tuple[str, ...] = ()  # each NAME, which the program gets from this machine, or NAME=value
    tolerance: float = 0.0  # of printed floats, relative and absolute; 0: output is compared literally
    limits: tuple[tuple[str, int], ...] = ()  # (name, value) of limits that replace those of the project
    first_line: int | None = None  # of the manifest; None without a manifest
    last_line: int | None = None


@dataclass(frozen=True)
class Rules:
    """The settings of a project that determine what a manifest may contain, and its default timeout.

    Attributes:
        engines: the names that `# engines:` may use; if empty, any name. Without this line, a snippet runs on all of them.
        needs: the names that `# needs:` may use; None allows any name.
        packages: the packages that `# when:` may name; None allows any name.
        timeout: the timeout of a snippet without `# timeout:`, in seconds.
    """

    engines: tuple[str, ...] = ()
    needs: tuple[str, ...] | None = None
    packages: tuple[str, ...] | None = None
    timeout: float = DEFAULT_TIMEOUT


class Reader:
    """Reads a manifest from the comments of a program.

    Args:
        comments: column and text of each comment, by line.
        fail_at: called with a line, a message and a remedy; returns the SnippetError to raise.
    """

    def __init__(self, comments: Mapping[int, tuple[int, str]], rules: Rules, fail_at: Fail):
        self.comments, self.rules, self.fail_at = comments, rules, fail_at
        self.line = 0  # the number of the line that is being read
        self.fields: dict[str, Any] = {"engines": rules.engines, "timeout": rules.timeout}  # of the Manifest

    def fail(self, message: str, remedy: str) -> SnippetError:
        """Return the error to raise for the line that is being read."""
        return self.fail_at(self.line, message, remedy)

    def read(self, head_last: int, body_first: int, needs_key: bool = False) -> Manifest:
        """Read the manifest between line `head_last`, which ends the docstring, and `body_first`, the first line of the program.

        The manifest ends before the first line that is blank, begins a region or script metadata, or is an expected line.
        Without a manifest, return a Manifest with the engines and the timeout of the rules. With `needs_key`, a comment
        without a manifest key in its first line is no manifest.

        Raises SnippetError if the manifest is malformed.
        """
        lines: dict[str, int] = {}
        first = self.line = head_last + 1
        first_match = _MANIFEST_LINE.fullmatch(self.comments.get(first, (0, ""))[1])
        if needs_key and not (first_match and first_match[1] in MANIFEST_KEYS):
            body_first = first
        while self.line < body_first and self.line in self.comments:
            comment = self.comments[self.line][1]
            if any(pattern.fullmatch(comment) for pattern in (REGION, EXPECTATION, _SCRIPT_METADATA)):
                break
            match = _MANIFEST_LINE.fullmatch(comment)
            if not match:
                remedy = "write `# key: value`, or leave a blank line between manifest and comment"
                raise self.fail(f"not a manifest line: {comment!r}", remedy)
            key, value = match[1], match[2].strip()
            if key not in MANIFEST_KEYS:
                similar = difflib.get_close_matches(key, MANIFEST_KEYS, n=1)
                keys = f"did you mean {similar[0]}? If not, use" if similar else "use"
                remedy = f"{keys} one of {', '.join(MANIFEST_KEYS)}, or leave a blank line above a comment"
                raise self.fail(f"unknown manifest key {key!r}", remedy)
            if key in lines:
                raise self.fail(f"manifest key {key!r} is repeated", f"remove this line or line {lines[key]}")
            if not value:
                raise self.fail(f"manifest key {key!r} has no value", "add a value or remove the line")
            self.fields[key] = _PARSERS[key](self, value)
            lines[key] = self.line
            self.line += 1
        if lines:
            self.fields |= {"first_line": first, "last_line": self.line - 1}
        return Manifest(**self.fields)

    def parse_covers(self, value: str) -> tuple[str, ...]:
        """Return the ids that the snippet covers."""
        return self.parse_words(value, r"[A-Za-z0-9][\w.-]*", "first, second")

    def parse_words(self, value: str, shape: str, example: str) -> tuple[str, ...]:
        """Return the words of a value. Raises SnippetError for a repeated name (up to `=`), or a word that does not match `shape`."""
        words = tuple(re.split(r"\s*,\s*|\s+", value.strip()))
        names = [word.partition("=")[0] for word in words]
        for word, name in zip(words, names, strict=True):
            if not re.fullmatch(shape, word):
                message = f"{word!r} is not a name" if word else "a name is missing"
                raise self.fail(message, f"separate names by spaces or commas, as in `{example}`")
            if names.count(name) > 1:
                raise self.fail(f"{name!r} is repeated", "remove one of the two")
        return words

    def parse_engines(self, value: str) -> tuple[str, ...]:
        """Return the names of the engines, in the order of the rules, and store the reason in the fields.

        Raises SnippetError if an engine is unknown, if all engines are named, or if a reason is missing.
        """
        names, _, reason = value.partition("--")
        engines = self.rules.engines
        engine_names = self.parse_words(names, r"\S+", ", ".join(engines))
        for name in engine_names:
            if engines and name not in engines:
                raise self.fail(f"unknown engine {name!r}", f"use one of {', '.join(engines)}")
        if len(engine_names) < len(engines) and not reason.strip():
            remedy = f"write `# engines: {names.strip()} -- reason`"
            raise self.fail("leaves out an engine without a reason", remedy)
        if len(engine_names) == len(engines):
            raise self.fail("names every engine, which is the default", "remove the line")
        self.fields["engines_reason"] = reason.strip() or None
        return tuple(name for name in engines if name in engine_names) or engine_names

    def parse_needs(self, value: str) -> tuple[str, ...]:
        """Return the needs of the snippet. Raises SnippetError for one that the project does not allow."""
        needs = self.parse_words(value, r"[A-Za-z_][\w.-]*", "first, second")
        for need in needs:
            if self.rules.needs is not None and need not in self.rules.needs:
                remedy = f"use one of {', '.join(self.rules.needs)}, or add it to `needs` of [tool.snippetcheck]"
                raise self.fail(f"unknown need {need!r}", remedy)
        return needs

    def parse_timeout(self, value: str) -> float:
        """Return the timeout in seconds. Raises SnippetError unless it is a positive number up to LONGEST_TIMEOUT."""
        if not re.fullmatch(r"\d+(\.\d+)?", value) or not 0 < float(value) <= LONGEST_TIMEOUT:
            message = f"timeout must be a number of seconds, got {value!r}"
            raise self.fail(message, f"use a number from 1 to {LONGEST_TIMEOUT:g}")
        return float(value)

    def parse_when(self, value: str) -> str:
        """Return the conditions. Raises SnippetError if one is malformed, or names a package that the project does not allow."""
        # Imported late: it needs `packaging`, which a page with *Run* does not have.
        from snippetcheck.conditions import check_conditions

        check_conditions(value, self.rules.packages, self.fail)
        return value

    def parse_environment(self, value: str) -> tuple[str, ...]:
        """Return the environment variables, each as NAME or NAME=value. Raises SnippetError for one that a program cannot set."""
        variables = self.parse_words(value, r"[A-Za-z_]\w*(=\S*)?", "API_KEY, LANGUAGE=en")
        for name in (variable.partition("=")[0] for variable in variables):
            if name in PRIVATE_VARIABLES or name.startswith("PYTHON"):
                reason = "Python reads it when it starts" if name.startswith("PYTHON") else "each run has its own"
                raise self.fail(f"{name} cannot be set: {reason}", "leave it out")
        return variables

    def parse_tolerance(self, value: str) -> float:
        """Return the tolerance of printed floats. Raises SnippetError unless it is a number between 0 and 1."""
        if not re.fullmatch(r"(\d+\.?\d*|\.\d+)(e-?\d+)?", value) or not 0 < float(value) < 1:
            message = f"tolerance must be a number between 0 and 1, got {value!r}"
            raise self.fail(message, "use a number such as 1e-6")
        return float(value)

    def parse_limits(self, value: str) -> tuple[tuple[str, int], ...]:
        """Return (name, value) of each limit. Raises SnippetError for an unknown limit or an invalid value."""
        limits = {}
        for word in self.parse_words(value, r"\w+=\S*", "memory=4096, processes=8"):
            name, _, number = word.partition("=")
            problem, remedy = limit_problem(name, int(number) if number.isdecimal() and len(number) < 20 else number)
            if problem:
                raise self.fail(problem, remedy)
            limits[name] = int(number)
        return tuple(limits.items())

    def check_stray(self, manifest: Manifest, head_last: int) -> None:
        """Raise SnippetError for a comment at column 0 with a manifest key outside the manifest, which follows line `head_last`."""
        for line, (column, comment) in self.comments.items():
            is_in_manifest = manifest.last_line is not None and head_last < line <= manifest.last_line
            match = _MANIFEST_LINE.fullmatch(comment)
            if column == 0 and match and match[1].lower() in MANIFEST_KEYS and not is_in_manifest:
                target = f"line {(manifest.last_line or head_last) + 1}, with no blank line between"
                remedy = f"move it to {target}; begin a comment with another word"
                raise self.fail_at(line, f"manifest key {match[1]!r} is not directly under the docstring", remedy)


# Each key of a manifest, and the method that returns the value of its field
_PARSERS: dict[str, Callable[[Reader, str], object]] = {
    "covers": Reader.parse_covers,
    "engines": Reader.parse_engines,
    "needs": Reader.parse_needs,
    "timeout": Reader.parse_timeout,
    "skip": lambda reader, reason: reason,
    "when": Reader.parse_when,
    "environment": Reader.parse_environment,
    "tolerance": Reader.parse_tolerance,
    "limits": Reader.parse_limits,
}
MANIFEST_KEYS = tuple(_PARSERS)
