"""An exercise as a file: a question, a head, and sections that begin with `# %%`.

It is strict: what is misspelt, missing or said twice is a SnippetError with file, line and remedy. FORMATS.md
describes the format.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

from snippetcheck.settings import DEFAULT_TIMEOUT, LONGEST_TIMEOUT
from snippetcheck.snippet import SnippetError

from gradnotes.exercises.edits import EditError, apply_edit, is_edit

KINDS = ("repair", "write", "point")
PLACES = {"line": True, "tensors": True, "order": False}  # what is pointed at, and whether `answer:` says which
_HEAD = ("exercise", "covers", "about", "hint", "timeout", "at", "answer")
_OF_ANSWER = ("error", "hint")
_MARK = re.compile(r"# %% (start|solution|check|right|wrong)(?:: (\S.*))?")
_NEARLY_MARK = re.compile(r"\s*#\s*%%")
_KEY = re.compile(r"# ([a-z]+): (\S.*)")
_GOES_ON = re.compile(r"#   +(\S.*)")
_ANSWER = {"line": re.compile(r"raises|changes (\S.*)"), "tensors": re.compile(r"where (\S.*)")}


@dataclass(frozen=True)
class Answer:
    """One known answer: the program, or what is pointed at."""

    label: str
    line: int  # of its mark in the file
    text: str
    error: str = ""  # the error that it raises, as a `#!` line has it
    hint: str = ""  # what the reader is told, where no check tells it


@dataclass(frozen=True)
class Exercise:
    """An exercise, read but not run."""

    path: Path
    name: str  # below exercises/
    kind: str
    question: tuple[str, ...]  # its paragraphs
    covers: tuple[str, ...]
    about: str  # the page and section that teach it, or empty
    hints: tuple[str, ...]
    timeout: float
    start: str
    start_line: int
    solution: Answer | None = None
    rights: tuple[Answer, ...] = ()
    wrongs: tuple[Answer, ...] = ()
    check: str = ""
    check_line: int = 0  # the line in the file before its first
    at: str = ""
    answer: str = ""  # which tensors or lines: an expression; "raises"; empty

    @property
    def label(self) -> str:
        """What the reader is to do, in a word."""
        return {"repair": "Repair", "write": "Write", "point": "Point"}[self.kind]


def load(path: Path, root: Path) -> Exercise:
    """The exercise at `path`, below the folder `root`. Raises SnippetError."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SnippetError(path, 1, "is not UTF-8", "save the file as UTF-8") from None
    return parse(text, path, path.relative_to(root).as_posix())


def parse(text: str, path: Path, name: str) -> Exercise:
    """The exercise of a text. Raises SnippetError."""
    return _Reader(text, path, name).exercise()


@dataclass
class _Section:
    name: str
    label: str
    line: int
    lines: list[str] = field(default_factory=list)
    keys: dict[str, list[tuple[int, str]]] = field(default_factory=dict)


class _Reader:
    def __init__(self, text: str, path: Path, name: str):
        self.text, self.path, self.name = text, path, name
        self.lines = text.split("\n")

    def fail(self, line: int, message: str, remedy: str) -> SnippetError:
        return SnippetError(self.path, line, message, remedy)

    def exercise(self) -> Exercise:
        question, last = self.question()
        head, sections = self.sections(last)
        kind = self.one(head, "exercise", last)
        if kind not in KINDS:
            raise self.fail(
                head["exercise"][0][0], f"unknown kind of exercise {kind!r}", f"use one of {', '.join(KINDS)}"
            )
        start = self.section(sections, "start")
        text, line = self.program(start)
        made = Exercise(
            path=self.path,
            name=self.name,
            kind=kind,
            question=question,
            covers=tuple(" ".join(value for _, value in head.get("covers", [])).replace(",", " ").split()),
            about=self.one(head, "about", last, needed=False),
            hints=tuple(value for _, value in head.get("hint", [])),
            timeout=self.timeout(head),
            start=text,
            start_line=line,
        )
        return self.point(made, head, sections) if kind == "point" else self.with_check(made, head, sections)

    # -- the head ---------------------------------------------------------------------------------

    def question(self) -> tuple[tuple[str, ...], int]:
        try:
            tree = ast.parse(self.text)
        except SyntaxError as error:
            raise self.fail(error.lineno or 1, f"is not Python: {error.msg}", "correct the syntax") from None
        text = ast.get_docstring(tree)
        if not text or not text.strip():
            raise self.fail(1, "has no question", "begin with it, in triple quotes")
        paragraphs = tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())
        return paragraphs, tree.body[0].end_lineno or 1

    def sections(self, last: int) -> tuple[dict[str, list[tuple[int, str]]], list[_Section]]:
        """The keys of the head, and the sections with theirs."""
        marks = []
        for number, line in enumerate(self.lines, 1):
            match = _MARK.fullmatch(line.rstrip())
            if match and bool(match[2]) == (match[1] in ("right", "wrong")):
                marks.append((number, match[1], match[2] or ""))
            elif _NEARLY_MARK.match(line):
                remedy = (
                    "write `# %% start`, solution or check, or `# %% right: what it is` or `# %% wrong: what it is`"
                )
                raise self.fail(number, f"not the mark of a section: {line.strip()!r}", remedy)
        if not marks:
            raise self.fail(last, "has no sections", "write `# %% start` and the program that the reader gets")
        head, after = self.keys(last + 1, marks[0][0], _HEAD)
        for number in range(after, marks[0][0]):
            if self.lines[number - 1].strip():
                raise self.fail(number, "stands in no section", "put it under `# %% start`, or write `# key: value`")
        ends = [number for number, _, _ in marks[1:]] + [len(self.lines) + 1]
        found = []
        for (number, name, label), end in zip(marks, ends, strict=True):
            keys, begin = self.keys(number + 1, end, _OF_ANSWER if name == "wrong" else ())
            lines = [""] * (begin - number - 1) + self.lines[begin - 1 : end - 1]
            found.append(_Section(name, label, number, lines, keys))
        return head, found

    def keys(self, first: int, end: int, allowed: tuple[str, ...]) -> tuple[dict[str, list[tuple[int, str]]], int]:
        """The `# key: value` lines from `first` on, each with its line, and the line behind them."""
        found: dict[str, list[tuple[int, str]]] = {}
        number = first
        last: list[tuple[int, str]] | None = None
        while number < end and allowed:
            match, more = (
                _KEY.fullmatch(self.lines[number - 1].rstrip()),
                _GOES_ON.fullmatch(self.lines[number - 1].rstrip()),
            )
            if match:
                key = match[1]
                if key not in allowed:
                    raise self.fail(number, f"unknown key {key!r}", f"use one of {', '.join(allowed)}")
                last = found.setdefault(key, [])
                last.append((number, match[2]))
            elif more and last:
                last[-1] = (last[-1][0], f"{last[-1][1]} {more[1]}")
            else:
                break
            number += 1
        for key, values in found.items():
            if len(values) > 1 and (key != "hint" or allowed is _OF_ANSWER):
                raise self.fail(values[1][0], f"key {key!r} is repeated", f"first given in line {values[0][0]}")
        return found, number

    def one(self, keys: dict[str, list[tuple[int, str]]], key: str, line: int, needed: bool = True) -> str:
        if key in keys:
            return keys[key][0][1]
        if needed:
            mark = self.lines[line - 1].startswith("# %%")
            raise self.fail(line, f"has no `# {key}:`", f"write it under the {'mark' if mark else 'question'}")
        return ""

    def timeout(self, head: dict[str, list[tuple[int, str]]]) -> float:
        if "timeout" not in head:
            return DEFAULT_TIMEOUT
        line, value = head["timeout"][0]
        if not re.fullmatch(r"\d+(\.\d+)?", value) or not 0 < float(value) <= LONGEST_TIMEOUT:
            raise self.fail(line, f"timeout {value!r} is not a number of seconds", f"give 1 to {LONGEST_TIMEOUT:g}")
        return float(value)

    # -- the sections -----------------------------------------------------------------------------

    def section(self, sections: list[_Section], name: str) -> _Section:
        found = [one for one in sections if one.name == name]
        if not found:
            raise self.fail(1, f"has no section `# %% {name}`", "write it")
        if len(found) > 1:
            raise self.fail(found[1].line, f"has two sections {name!r}", "keep one of the two")
        return found[0]

    def program(self, section: _Section) -> tuple[str, int]:
        """The program of a section, and the line in the file before its first."""
        lines = list(section.lines)
        before = section.line
        while lines and not lines[0].strip():
            lines.pop(0)
            before += 1
        text = "\n".join(lines).rstrip() + "\n"
        if not ast.parse(text).body:
            raise self.fail(section.line, f"section {section.name!r} has no program", "write one")
        return text, before

    def answer(self, section: _Section, start: str) -> Answer:
        """A program, or the start with an edit."""
        keys = section.keys
        error, hint = (
            self.one(keys, "error", section.line, False),
            self.one(keys, "hint", section.line, bool("error" in keys)),
        )
        if hint and not error:
            raise self.fail(
                keys["hint"][0][0], "a hint that the check cannot give", "say it in an assert, or add `# error:`"
            )
        if is_edit(section.lines):
            try:
                text = apply_edit(section.lines, start)
            except EditError as problem:
                raise self.fail(section.line + 1 + problem.index, str(problem), problem.remedy) from None
        else:
            text, _ = self.program(section)
        return Answer(section.label or section.name, section.line, text, error, hint)

    def with_check(self, made: Exercise, head: dict[str, list[tuple[int, str]]], sections: list[_Section]) -> Exercise:
        for key in ("at", "answer"):
            if key in head:
                raise self.fail(head[key][0][0], f"key {key!r} in a {made.kind} exercise", "drop the line")
        check, before = self.program(self.section(sections, "check"))
        asserts = [node for node in ast.walk(ast.parse(check)) if isinstance(node, ast.Assert)]
        for node in asserts:
            if node.msg is None:
                raise self.fail(before + node.lineno, "an assert without a message", "say what leads the reader on")
        if not asserts:
            raise self.fail(before, "a check without an assert", "write `assert condition, hint`")
        wrongs = tuple(self.answer(one, made.start) for one in sections if one.name == "wrong")
        if not wrongs:
            raise self.fail(1, "has no wrong answer", "write one that learners give, under `# %% wrong: what it is`")
        return Exercise(
            **{
                **vars(made),
                "solution": self.answer(self.section(sections, "solution"), made.start),
                "rights": tuple(self.answer(one, made.start) for one in sections if one.name == "right"),
                "wrongs": wrongs,
                "check": check,
                "check_line": before,
            }
        )

    def point(self, made: Exercise, head: dict[str, list[tuple[int, str]]], sections: list[_Section]) -> Exercise:
        for one in sections:
            if one.name in ("solution", "check", "right"):
                raise self.fail(one.line, f"section {one.name!r} in a point exercise", "drop it: the run gives the key")
        at = self.one(head, "at", 1)
        if at not in PLACES:
            raise self.fail(head["at"][0][0], f"unknown place {at!r}", f"use one of {', '.join(PLACES)}")
        answer = self.one(head, "answer", head["at"][0][0], PLACES[at])
        line = head["answer"][0][0] if answer else 0
        if answer and not PLACES[at]:
            raise self.fail(line, f"key 'answer' where {at} is asked", "drop the line: the run gives the order")
        if PLACES[at]:
            match = _ANSWER[at].fullmatch(answer)
            if not match:
                forms = {
                    "line": "`raises` or `changes EXPRESSION`",
                    "tensors": "`where EXPRESSION`, with `it` for the tensor",
                }
                raise self.fail(line, f"not an answer: {answer!r}", f"write {forms[at]}")
            answer = match[1] if match.lastindex else "raises"
            try:
                compile(answer, "answer", "eval")
            except SyntaxError:
                raise self.fail(line, f"not an expression: {answer!r}", "write one in Python") from None
        wrongs = []
        for one in sections:
            if one.name == "wrong":
                if any(line.strip() for line in one.lines):
                    raise self.fail(one.line, "a wrong answer with a program", "name what is pointed at in the mark")
                wrongs.append(Answer(one.label, one.line, "", "", self.one(one.keys, "hint", one.line)))
        if not wrongs:
            raise self.fail(
                1, "has no wrong answer", "write one that learners give, as `# %% wrong: what they point at`"
            )
        return Exercise(**{**vars(made), "at": at, "answer": answer, "wrongs": tuple(wrongs)})
