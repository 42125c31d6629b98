"""Read the manifest of a snippet: the `# key: value` lines under its docstring."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from snippetcheck.engines import limit_problem
from snippetcheck.expected import EXPECTATION, Refused
from snippetcheck.regions import REGION

MANIFEST_KEYS = ("covers", "engines", "needs", "timeout", "skip", "when", "environment", "tolerance", "limits")
DEFAULT_TIMEOUT = 30.0
LONGEST_TIMEOUT = 600.0

_SCRIPT_METADATA = re.compile(r"# /// [A-Za-z0-9-]+")  # begins a block that `uv run` and `pipx run` read
_MANIFEST_LINE = re.compile(r"# ([A-Za-z_-]+)\s*:\s*(.*)$")


@dataclass(frozen=True)
class Manifest:
    """The `# key: value` lines under the docstring."""

    covers: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    engines_reason: str | None = None
    needs: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    skip: str | None = None  # the reason
    when: str = ""  # conditions for `snippetcheck.conditions`
    environment: tuple[str, ...] = ()  # NAME, which a program gets from this machine, or NAME=value
    tolerance: float = 0.0  # of printed floats, relative and absolute; 0: output is compared literally
    limits: tuple[tuple[str, int], ...] = ()  # that replace those of the project
    first_line: int | None = None  # of the manifest, None if there is none
    last_line: int | None = None


class Reader:
    """Reads a manifest from the comments of a program.

    Args:
        comments: column and text of each comment, by line.
        engines: the names that the manifest may use.
        timeout: the default, in seconds.
        refused: called with a line, a message and a remedy; returns the SnippetError to raise.
    """

    def __init__(
        self, comments: Mapping[int, tuple[int, str]], engines: tuple[str, ...], timeout: float, refused: Refused
    ):
        self.comments, self.engines, self.timeout, self.refused = comments, engines, timeout, refused

    def read(self, head_last: int, body_first: int, needs_key: bool = False) -> Manifest:
        """Read the manifest between the last line of the docstring and the first line of the program.

        With `needs_key`, a comment is a manifest only if its first line has a manifest key.
        """
        entries: dict[str, tuple[int, str]] = {}
        line = head_last + 1
        begin = _MANIFEST_LINE.fullmatch(self.comments.get(line, (0, ""))[1])
        if needs_key and not (begin and begin[1] in MANIFEST_KEYS):
            body_first = line
        while line < body_first and line in self.comments:
            comment = self.comments[line][1]
            if any(pattern.fullmatch(comment) for pattern in (REGION, EXPECTATION, _SCRIPT_METADATA)):
                break
            match = _MANIFEST_LINE.fullmatch(comment)
            if not match:
                remedy = "write `# key: value`, or leave a blank line between manifest and comment"
                raise self.refused(line, f"not a manifest line: {comment!r}", remedy)
            key, value = match[1], match[2].strip()
            if key not in MANIFEST_KEYS:
                remedy = f"use one of {', '.join(MANIFEST_KEYS)}, or leave a blank line above a comment"
                raise self.refused(line, f"unknown manifest key {key!r}", remedy)
            if key in entries:
                raise self.refused(
                    line, f"manifest key {key!r} is repeated", f"remove this line or line {entries[key][0]}"
                )
            if not value:
                raise self.refused(line, f"manifest key {key!r} has no value", "add a value or remove the line")
            entries[key] = (line, value)
            line += 1
        engines, reason = self.chosen_engines(entries.get("engines"))
        texts = {key: value for key, (_, value) in entries.items()}
        return Manifest(
            covers=self.words(entries.get("covers"), re.compile(r"[A-Za-z0-9][\w.-]*")),
            engines=engines,
            engines_reason=reason,
            needs=self.words(entries.get("needs"), re.compile(r"[A-Za-z_][\w.-]*")),
            timeout=self.seconds(entries.get("timeout")),
            skip=texts.get("skip"),
            when=texts.get("when", ""),
            environment=self.variables(entries.get("environment")),
            tolerance=self.tolerance(entries.get("tolerance")),
            limits=self.limits(entries.get("limits")),
            first_line=head_last + 1 if entries else None,
            last_line=line - 1 if entries else None,
        )

    def words(self, entry: tuple[int, str] | None, shape: re.Pattern[str]) -> tuple[str, ...]:
        """Return the words of the value in (line, value). Raises SnippetError if a word is repeated or does not match `shape`."""
        if entry is None:
            return ()
        line, value = entry
        words = tuple(word for word in re.split(r"[\s,]+", value) if word)
        for word in words:
            if not shape.fullmatch(word):
                raise self.refused(line, f"{word!r} is not a name", "separate names by spaces or commas")
            if words.count(word) > 1:
                raise self.refused(line, f"{word!r} is repeated", "remove one of the two")
        return words

    def chosen_engines(self, entry: tuple[int, str] | None) -> tuple[tuple[str, ...], str | None]:
        """Return the engines of the snippet, and the reason if an engine is left out, else None. Raises SnippetError."""
        if entry is None:
            return self.engines, None
        line, value = entry
        names, dashes, reason = value.partition("--")
        chosen = self.words((line, names), re.compile(r"\S+"))
        for name in chosen:
            if self.engines and name not in self.engines:
                raise self.refused(line, f"unknown engine {name!r}", f"use one of {', '.join(self.engines)}")
        if not chosen:
            raise self.refused(line, "names no engine", f"use one of {', '.join(self.engines)}")
        if not self.engines:
            return chosen, reason.strip() or None
        if len(chosen) < len(self.engines) and not reason.strip():
            remedy = f"write `# engines: {names.strip()} -- reason`"
            raise self.refused(line, "leaves out an engine without a reason", remedy)
        if len(chosen) == len(self.engines):
            raise self.refused(line, "names every engine, which is the default", "remove the line")
        return tuple(name for name in self.engines if name in chosen), reason.strip()

    def seconds(self, entry: tuple[int, str] | None) -> float:
        """Return the timeout in seconds, by default that of the settings. Raises SnippetError."""
        if entry is None:
            return self.timeout
        line, value = entry
        if not re.fullmatch(r"\d+(\.\d+)?", value) or not 0 < float(value) <= LONGEST_TIMEOUT:
            raise self.refused(
                line,
                f"timeout must be a number of seconds, got {value!r}",
                f"use a number from 1 to {LONGEST_TIMEOUT:g}",
            )
        return float(value)

    def variables(self, entry: tuple[int, str] | None) -> tuple[str, ...]:
        """Return the environment variables. Raises SnippetError for those that cannot take effect in a running Python."""
        variables = self.words(entry, re.compile(r"[A-Za-z_]\w*(=\S*)?"))
        for name in (variable.partition("=")[0] for variable in variables):
            if name in ("HOME", "TMPDIR") or name.startswith("PYTHON"):
                reason = "Python reads it when it starts" if name.startswith("PYTHON") else "each run has its own"
                raise self.refused(entry[0] if entry else 1, f"{name} cannot be set: {reason}", "leave it out")
        return variables

    def tolerance(self, entry: tuple[int, str] | None) -> float:
        """Return the tolerance of printed floats. Raises SnippetError."""
        if entry is None:
            return 0.0
        line, value = entry
        if not re.fullmatch(r"(\d+\.?\d*|\.\d+)(e-?\d+)?", value) or not 0 < float(value) < 1:
            raise self.refused(
                line, f"tolerance must be a number between 0 and 1, got {value!r}", "use a number such as 1e-6"
            )
        return float(value)

    def limits(self, entry: tuple[int, str] | None) -> tuple[tuple[str, int], ...]:
        """Return the limits by name. Raises SnippetError."""
        limits = {}
        for word in self.words(entry, re.compile(r"\w+=\w+")):
            name, _, value = word.partition("=")
            problem, remedy = limit_problem(name, int(value) if value.isdecimal() else value)
            if problem:
                raise self.refused(entry[0] if entry else 1, problem, remedy)
            limits[name] = int(value)
        return tuple(limits.items())

    def check_stray(self, manifest: Manifest, head_last: int) -> None:
        """Raise SnippetError for a manifest line outside the manifest."""
        for line, (column, comment) in self.comments.items():
            inside = manifest.last_line is not None and head_last < line <= manifest.last_line
            match = _MANIFEST_LINE.fullmatch(comment)
            if column == 0 and match and match[1].lower() in MANIFEST_KEYS and not inside:
                target = f"line {(manifest.last_line or head_last) + 1}, with no blank line between"
                remedy = f"move it to {target}; begin a comment with another word"
                raise self.refused(line, f"manifest key {match[1]!r} is not directly under the docstring", remedy)
