"""Parse exercise files: a question, a head of `# key: value` lines, and sections that begin with `# %%`.

A malformed file raises SnippetError with file, line and remedy. FORMATS.md describes the format.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

from snippetcheck.settings import DEFAULT_TIMEOUT, LONGEST_TIMEOUT
from snippetcheck.snippet import SnippetError

from gradnotes.exercises.edits import EditError, apply_edit, is_edit
from gradnotes.problems import close_match

KINDS = ("repair", "write", "point")
CHOICES = {"line": True, "tensors": True, "order": False}  # value of `at:` -> whether the head also needs `answer:`
_HEAD_KEYS = ("exercise", "covers", "about", "hint", "timeout", "at", "answer")
_ANSWER_KEYS = ("error", "hint")
_MARK = re.compile(r"# %% (start|solution|check|right|wrong)(?:: (\S.*))?")
_NEARLY_MARK = re.compile(r"\s*#\s*%%")
_KEY = re.compile(r"# ([a-z]+): (\S.*)")
_CONTINUATION = re.compile(r"#   +(\S.*)")
_ANSWER = {"line": re.compile(r"raises|changes (\S.*)"), "tensors": re.compile(r"where (\S.*)")}


@dataclass(frozen=True)
class Answer:
    """One known answer: a program, or in a `point` exercise the choices, which are in the label."""

    label: str
    line: int  # line of its `# %%` mark in the file
    text: str  # of the program
    error: str = ""  # error that it raises, in the format of a `#!` line
    hint: str = ""  # hint for an answer that does not reach the check


@dataclass(frozen=True)
class Exercise:
    """A parsed exercise."""

    path: Path
    text: str  # of the file
    name: str  # path below exercises/
    kind: str
    question: tuple[str, ...]  # one text per paragraph
    covers: tuple[str, ...]
    about: str  # page and section that teach what the question asks for, or empty
    hints: tuple[str, ...]
    timeout: float
    start: str
    start_line: int  # number of the line before the first line of `start`
    solution: Answer | None = None
    rights: tuple[Answer, ...] = ()
    wrongs: tuple[Answer, ...] = ()
    check: str = ""
    check_line: int = 0  # number of the line before the first line of `check`
    at: str = ""  # in a `point` exercise, what the reader selects: a key of CHOICES
    answer: str = ""  # expression that selects tensors or lines, "raises", or empty

    @property
    def label(self) -> str:
        """Return the reader's task in one word, such as "Repair"."""
        return {"repair": "Repair", "write": "Write", "point": "Point"}[self.kind]


def load(path: Path, root: Path) -> Exercise:
    """Load the exercise at `path`, below the folder `root`.

    Raises:
        SnippetError: the file is malformed.
        OSError: the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SnippetError(path, 1, "not UTF-8", "save the file as UTF-8") from None
    return parse(text, path, path.relative_to(root).as_posix())


def parse(text: str, path: Path, name: str) -> Exercise:
    """Parse the text of an exercise.

    Raises:
        SnippetError: the text is malformed.
    """
    return _Reader(text, path, name).exercise()


@dataclass
class _Section:
    """One section of the file: its mark (name, label and line), its `# key: value` lines, and its other lines."""

    name: str
    label: str
    line: int
    lines: list[str] = field(default_factory=list)
    keys: dict[str, list[tuple[int, str]]] = field(default_factory=dict)


class _Reader:
    """The parser of one exercise file. Its methods raise SnippetError for a mistake in the file."""

    def __init__(self, text: str, path: Path, name: str):
        self.text, self.path, self.name = text, path, name
        self.lines = text.split("\n")

    def error(self, line: int, message: str, remedy: str) -> SnippetError:
        return SnippetError(self.path, line, message, remedy)

    def exercise(self) -> Exercise:
        question, last = self.question()
        head, sections = self.sections(last)
        kind = self.single_value(head, "exercise", last)
        if kind not in KINDS:
            raise self.error(
                head["exercise"][0][0], f"unknown kind of exercise {kind!r}", f"use one of {', '.join(KINDS)}"
            )
        start = self.section(sections, "start")
        text, line = self.program(start)
        exercise = Exercise(
            path=self.path,
            text=self.text,
            name=self.name,
            kind=kind,
            question=question,
            covers=tuple(" ".join(value for _, value in head.get("covers", [])).replace(",", " ").split()),
            about=self.single_value(head, "about", last, is_required=False),
            hints=tuple(value for _, value in head.get("hint", [])),
            timeout=self.timeout(head),
            start=text,
            start_line=line,
        )
        return self.point(exercise, head, sections) if kind == "point" else self.with_check(exercise, head, sections)

    # -- the head ---------------------------------------------------------------------------------

    def question(self) -> tuple[tuple[str, ...], int]:
        try:
            tree = ast.parse(self.text)
        except SyntaxError as error:
            raise self.error(error.lineno or 1, f"not Python: {error.msg}", "correct the syntax") from None
        text = ast.get_docstring(tree)
        if not text or not text.strip():
            raise self.error(1, "no question", "begin the file with the question, in triple quotes")
        paragraphs = tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())
        return paragraphs, tree.body[0].end_lineno or 1

    def sections(self, last: int) -> tuple[dict[str, list[tuple[int, str]]], list[_Section]]:
        """Return the keys of the head, and the sections with their keys. `last` is the last line of the question."""
        marks = []
        for number, line in enumerate(self.lines, 1):
            match = _MARK.fullmatch(line.rstrip())
            if match and bool(match[2]) == (match[1] in ("right", "wrong")):
                marks.append((number, match[1], match[2] or ""))
            elif _NEARLY_MARK.match(line):
                remedy = "write `# %% start`, solution or check, or `# %% right: LABEL` or `# %% wrong: LABEL`"
                raise self.error(number, f"malformed section mark: {line.strip()!r}", remedy)
        if not marks:
            raise self.error(last, "no sections", "add `# %% start` and the program that the reader gets")
        head, after = self.keys(last + 1, marks[0][0], _HEAD_KEYS)
        for number in range(after, marks[0][0]):
            if self.lines[number - 1].strip():
                raise self.error(
                    number, "line outside of any section", "move it below `# %% start`, or write `# key: value`"
                )
        ends = [number for number, _, _ in marks[1:]] + [len(self.lines) + 1]
        sections = []
        for (number, name, label), end in zip(marks, ends, strict=True):
            keys, begin = self.keys(number + 1, end, _ANSWER_KEYS if name == "wrong" else ())
            lines = [""] * (begin - number - 1) + self.lines[begin - 1 : end - 1]
            sections.append(_Section(name, label, number, lines, keys))
        return head, sections

    def keys(self, first: int, end: int, allowed_keys: tuple[str, ...]) -> tuple[dict[str, list[tuple[int, str]]], int]:
        """Parse the `# key: value` lines from line `first` on, at most to the line before `end`.

        Return (line number, value) pairs by key, and the number of the first line that is not such a line.
        """
        keys: dict[str, list[tuple[int, str]]] = {}
        number = first
        last: list[tuple[int, str]] | None = None
        while number < end and allowed_keys:
            line = self.lines[number - 1].rstrip()
            match, continuation = _KEY.fullmatch(line), _CONTINUATION.fullmatch(line)
            if match:
                key = match[1]
                if key not in allowed_keys:
                    raise self.error(number, f"unknown key {key!r}", close_match(key, allowed_keys))
                last = keys.setdefault(key, [])
                last.append((number, match[2]))
            elif continuation and last:
                last[-1] = (last[-1][0], f"{last[-1][1]} {continuation[1]}")
            else:
                break
            number += 1
        for key, values in keys.items():
            if len(values) > 1 and (key != "hint" or allowed_keys is _ANSWER_KEYS):
                raise self.error(values[1][0], f"key {key!r} is repeated", f"remove this line or line {values[0][0]}")
        return keys, number

    def single_value(
        self, keys: dict[str, list[tuple[int, str]]], key: str, line: int, is_required: bool = True
    ) -> str:
        """Return the value of a key. If it is missing, raise an error at `line` or, unless `is_required`, return ""."""
        if key in keys:
            return keys[key][0][1]
        if is_required:
            location = "mark, without a blank line between" if self.lines[line - 1].startswith("# %%") else "question"
            raise self.error(line, f"no `# {key}:`", f"add it below the {location}")
        return ""

    def timeout(self, head: dict[str, list[tuple[int, str]]]) -> float:
        if "timeout" not in head:
            return DEFAULT_TIMEOUT
        line, value = head["timeout"][0]
        if not re.fullmatch(r"\d+(\.\d+)?", value) or not 0 < float(value) <= LONGEST_TIMEOUT:
            raise self.error(
                line,
                f"timeout must be a number of seconds up to {LONGEST_TIMEOUT:g}, got {value!r}",
                "correct the number",
            )
        return float(value)

    # -- the sections -----------------------------------------------------------------------------

    def section(self, sections: list[_Section], name: str) -> _Section:
        matches = [section for section in sections if section.name == name]
        if not matches:
            raise self.error(1, f"no section `# %% {name}`", "add the section")
        if len(matches) > 1:
            raise self.error(matches[1].line, f"section {name!r} is repeated", "remove one of the two sections")
        return matches[0]

    def program(self, section: _Section) -> tuple[str, int]:
        """Return the program of a section, and the number of the line before it."""
        lines = list(section.lines)
        before = section.line
        while lines and not lines[0].strip():
            lines.pop(0)
            before += 1
        text = "\n".join(lines).rstrip() + "\n"
        if not ast.parse(text).body:
            raise self.error(
                section.line, f"section {section.name!r} has no program", f"add a program below `# %% {section.name}`"
            )
        return text, before

    def answer(self, section: _Section, start: str) -> Answer:
        """Parse an answer: a program, or an edit of the start."""
        keys = section.keys
        error, hint = (
            self.single_value(keys, "error", section.line, False),
            self.single_value(keys, "hint", section.line, bool("error" in keys)),
        )
        if hint and not error:
            raise self.error(
                keys["hint"][0][0], "`# hint:` needs `# error:`", "move the hint to an assert, or add `# error:`"
            )
        if is_edit(section.lines):
            try:
                text = apply_edit(section.lines, start)
            except EditError as problem:
                raise self.error(section.line + 1 + problem.index, str(problem), problem.remedy) from None
        else:
            text, _ = self.program(section)
        return Answer(section.label or section.name, section.line, text, error, hint)

    def with_check(
        self, exercise: Exercise, head: dict[str, list[tuple[int, str]]], sections: list[_Section]
    ) -> Exercise:
        """Return `exercise`, of any kind but `point`, with its check, its solution and its known answers added."""
        for key in ("at", "answer"):
            if key in head:
                raise self.error(
                    head[key][0][0], f"key {key!r} is not allowed in a {exercise.kind} exercise", "remove the line"
                )
        check, before = self.program(self.section(sections, "check"))
        asserts = [node for node in ast.walk(ast.parse(check)) if isinstance(node, ast.Assert)]
        for node in asserts:
            if node.msg is None:
                raise self.error(before + node.lineno, "assert has no message", "add a hint for the reader")
        if not asserts:
            raise self.error(before, "the check has no assert", "add `assert condition, hint`")
        wrongs = tuple(self.answer(section, exercise.start) for section in sections if section.name == "wrong")
        if not wrongs:
            raise self.error(1, "no wrong answer", "add a common mistake, below `# %% wrong: LABEL`")
        return Exercise(
            **{
                **vars(exercise),
                "solution": self.answer(self.section(sections, "solution"), exercise.start),
                "rights": tuple(
                    self.answer(section, exercise.start) for section in sections if section.name == "right"
                ),
                "wrongs": wrongs,
                "check": check,
                "check_line": before,
            }
        )

    def point(self, exercise: Exercise, head: dict[str, list[tuple[int, str]]], sections: list[_Section]) -> Exercise:
        """Return `exercise`, of the kind `point`, with the keys of its head and its wrong answers added."""
        for section in sections:
            if section.name in ("solution", "check", "right"):
                raise self.error(
                    section.line,
                    f"section {section.name!r} is not allowed in a point exercise",
                    "remove it; the run supplies the answer",
                )
        at = self.single_value(head, "at", 1)
        if at not in CHOICES:
            raise self.error(
                head["at"][0][0], f"`at:` must be one of {', '.join(CHOICES)}, got {at!r}", "correct the value"
            )
        answer = self.single_value(head, "answer", head["at"][0][0], CHOICES[at])
        line = head["answer"][0][0] if answer else 0
        if answer and not CHOICES[at]:
            raise self.error(
                line, f"key 'answer' is not allowed with `at: {at}`", "remove the line; the run supplies the order"
            )
        if CHOICES[at]:
            match = _ANSWER[at].fullmatch(answer)
            if not match:
                forms = {
                    "line": "`raises` or `changes EXPRESSION`",
                    "tensors": "`where EXPRESSION`, with `it` for the tensor",
                }
                raise self.error(line, f"malformed answer: {answer!r}", f"write {forms[at]}")
            answer = match[1] if match.lastindex else "raises"
            try:
                compile(answer, "answer", "eval")
            except SyntaxError:
                raise self.error(
                    line, f"answer must be a Python expression, got {answer!r}", "correct the expression"
                ) from None
        wrongs = []
        for section in sections:
            if section.name == "wrong":
                if any(line.strip() for line in section.lines):
                    raise self.error(
                        section.line,
                        "a wrong answer of a point exercise must not have a program",
                        "remove the program; name the choices in the line `# %% wrong:`",
                    )
                wrongs.append(
                    Answer(section.label, section.line, "", "", self.single_value(section.keys, "hint", section.line))
                )
        if not wrongs:
            raise self.error(1, "no wrong answer", "add a common mistake, as `# %% wrong: CHOICES`")
        return Exercise(**{**vars(exercise), "at": at, "answer": answer, "wrongs": tuple(wrongs)})
