"""Parse the snippet format: a program with a manifest, and with expected output under its statements.

README.md of the harness describes the format. This module runs no program. It needs only the standard library, unless a
manifest has `# when:`, so that a Markdown extension and a web page can use it.
"""

from __future__ import annotations

import ast
import bisect
import hashlib
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.machinery import BuiltinImporter, FrozenImporter
from itertools import groupby
from pathlib import Path
from typing import Any

from snippetcheck import expected, regions
from snippetcheck.expected import EXPECTATION, ExpectedLine, ExpectedMessage
from snippetcheck.manifest import Manifest, Reader, Rules
from snippetcheck.source import SnippetError, blocks, check_text, comments, first_line, imports, read_utf8

SUFFIXES = (".py", ".pyw")  # of files that Python runs, also in upper case; `load` accepts only `.py`
RESERVED = ("conftest.py", "__init__.py")  # names of files that pytest imports

# A comment that looks like an expectation: no space after its sign, or, under a statement, a space before it. `#!/bin/sh`,
# `# >= 3`, `# ~5 s` and `# !pip install x` are ordinary comments.
_ERROR = r"(?:[\w.]+\.)?(?:[A-Z](?:\w*[a-z]\w*)?|error)(?::|$)"
_WITHOUT_BLANK = re.compile(rf"#2?>(?![>=])|#~(?![/\d])|#!{_ERROR}")
_BLANK_BEFORE = re.compile(rf"#\s+>\??(?:\s|$)|#\s+!\s*(?:{_ERROR}|$)|#\s+~\s*(?:[\w.]*Warning\b|$)")
_SHEBANG = re.compile(r"#! ?/")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_TEXT_QUOTES = ('"""', "'''")
_HEAD_WITH_CONDITION = re.compile(r".*?^# when: [^\n]*\n(?:#[^\n]*\n)*", re.MULTILINE | re.DOTALL)

ANY = Rules()  # allows any names of engines, needs and packages


@dataclass(frozen=True)
class Statement:
    """A top-level statement: its lines in the file (1-based, inclusive), expected output, error and warnings.

    The `#>` lines may stand inside the statement, under the nested statement that prints.
    """

    first: int
    last: int
    output: tuple[ExpectedLine, ...] = ()
    error: ExpectedMessage | None = None
    warnings: tuple[ExpectedMessage, ...] = ()
    # The first and last line of the string under a `print` that holds the expected output; None without such a string
    text_lines: tuple[int, int] | None = None
    want: Any = None  # of a `>>>` example: a snippetcheck.doctests.Want, in place of the fields above

    @property
    def may_raise(self) -> bool:
        """Return whether the statement is expected to raise."""
        return self.error is not None or (self.want is not None and self.want.error is not None)

    @property
    def expected_output(self) -> str:
        """Return the expected output as text; an empty string if none is expected."""
        return str(self.want.text) if self.want else "\n".join(line.text for line in self.output)

    def expected_texts(self) -> Iterator[str]:
        """Yield the expected output, the text of each expected warning, and the message of the expected error."""
        yield self.expected_output
        yield from (warning.text for warning in self.warnings)
        yield self.error.message if self.error else ""

    @property
    def block_last(self) -> int:
        """Return the number of the last line of the statement and of the lines in `signs`."""
        return max([self.last, *self.signs])

    @property
    def signs(self) -> dict[int, str]:
        """Map the number of each expected line to its sign: `>` for output, also on stderr, `!` for an error, `~` for a warning.

        The expected lines of a `>>>` example have no signs.
        """
        signs = {output.line: ">" for output in self.output}
        if self.error:
            signs |= dict.fromkeys(range(self.error.line, self.error.last_line + 1), "!")
        for warning in self.warnings:
            signs |= dict.fromkeys(range(warning.line, warning.last_line + 1), "~")
        return signs


@dataclass(frozen=True)
class Page:
    """The page or module that contains an example.

    `read` is a function that returns the examples in a changed text of this file.
    """

    text: str
    read: Callable[[str], list[Snippet | SnippetError]]


@dataclass(frozen=True)
class Prompts:
    """The names that `>>>` examples can use: those of `module`, if it is not empty, and those that the program `setup` defines."""

    module: str
    setup: str


@dataclass(frozen=True)
class Snippet:
    """A parsed snippet: a file, or an example on a page or in a docstring.

    `text` of an example has blank lines in place of the rest of the file, so that its lines keep their numbers.
    """

    path: Path
    # The path below the snippets folder, with forward slashes; of an example, the path of its file below the root, and `:line`
    name: str
    title: str
    title_last_line: int
    manifest: Manifest
    statements: tuple[Statement, ...]
    regions: dict[str, tuple[int, int]]
    imports: frozenset[str]  # the top-level packages that the program imports, at any depth
    text: str
    # The numbers of the lines between statements that begin or end a region or an editor's fold
    region_marks: frozenset[int] = frozenset()
    page: Page | None = field(default=None, compare=False)
    prompts: Prompts | None = None  # None if these are not `>>>` examples
    read_again: Callable[[str], Snippet] = field(default=lambda text: parse(text, "", ""), compare=False)

    def with_text(self, text: str) -> Snippet:
        """Parse another text of the snippet. Raises SnippetError if it is malformed."""
        return replace(self.read_again(text), page=self.page, title=self.title)

    @property
    def file_text(self) -> str:
        """Return the text of the file: `text`, or, of an example, the text of the whole page or module."""
        return self.page.text if self.page else self.text

    @property
    def sha256(self) -> str:
        """Return the SHA-256 checksum of `file_text`, in hexadecimal."""
        return hashlib.sha256(self.file_text.encode()).hexdigest()

    @property
    def lines(self) -> list[str]:
        """Return the lines of `text`, without newlines; line n is `lines[n - 1]`."""
        return self.text.split("\n")[:-1]


def load(path: Path | str, root: Path | str, rules: Rules = ANY, text: str | None = None) -> Snippet:
    """Read the snippet at `path`, below the snippets folder `root`.

    Args:
        text: the result of `read_text(path)`, if the caller has it already.

    Raises:
        SnippetError: if the file is not a well-formed snippet, or violates the rules.
    """
    path = Path(path)
    text = read_text(path) if text is None else text
    try:
        name = name_of(path, Path(root).resolve())
    except ValueError:
        raise SnippetError(path, 1, f"is not below {root}", f"move it below {root}") from None
    snippet = parse(text, path, name, rules)
    for module in sorted(snippet.imports):
        if _is_hidden_module(module, path):
            message = f"imports {module!r}, and with `python {path.name}` gets {module}.py beside it"
            raise SnippetError(path, 1, message, f"rename the snippet {module}.py")
    return snippet


def _is_hidden_module(module: str, path: Path) -> bool:
    """Return whether the file of a snippet, or one beside it, hides this module, which the harness has already imported."""
    if module != path.stem and (module not in sys.stdlib_module_names or not (path.parent / f"{module}.py").is_file()):
        return False
    return not (BuiltinImporter.find_spec(module) or FrozenImporter.find_spec(module))


def read_text(path: Path) -> str:
    """Return the text of the snippet at `path`.

    Raises:
        SnippetError: if the file has a name that a snippet cannot have, or cannot be read.
    """
    if path.suffix != ".py":
        raise SnippetError(path, 1, f"ends in {path.suffix!r}", "rename it to end in .py")
    if not path.name.isprintable():
        message, remedy = "file name has unprintable characters", "use letters, digits, hyphens, underscores"
        encoding = sys.getfilesystemencoding()
        try:
            path.name.encode(encoding)
        except UnicodeEncodeError:  # the bytes that `encoding` cannot decode are lone surrogates
            message = f"file name is not {encoding.upper()}, the encoding of file names here"
            if encoding != "utf-8":
                remedy += ", or set the environment variable PYTHONUTF8=1"
        raise SnippetError(path, 1, message, remedy)
    if path.name in RESERVED:  # made after `load_settings` has searched the folder
        raise SnippetError(path, 1, f"{path.name!r} is reserved by pytest", "rename the snippet")
    if path.exists() and not path.is_file():
        raise SnippetError(path, 1, "not a regular file", "rename or remove it")
    return read_utf8(path)


def files(folder: Path | str) -> list[Path]:
    """Return the files below `folder` that end in one of SUFFIXES, in lower or upper case, sorted."""
    return sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in SUFFIXES and not path.is_dir())


def name_of(path: Path, root: Path) -> str:
    """Return the name of the snippet at `path`. Raises ValueError if it is not below `root`, a resolved path."""
    return (path.parent.resolve() / path.name).relative_to(root).as_posix()


def excerpt_span(snippet: Snippet, region: str | None = None) -> tuple[int, int]:
    """Return the first and last line of a region, or of the program without title and manifest. Raises KeyError for an unknown region."""
    head = snippet.manifest.last_line or snippet.title_last_line
    return snippet.regions[region] if region else (head + 1, len(snippet.lines))


def excerpt_parts(snippet: Snippet, first: int, last: int) -> Iterator[tuple[str | None, list[int]]]:
    """Yield (sign, line numbers) for each group of adjacent lines from `first` to `last` with the same sign. The sign of code is None.

    Region marks are omitted, and so are blank lines at both ends.
    """
    lines = snippet.lines
    numbers = [n for n in range(first, last + 1) if n not in snippet.region_marks]
    nonblank_lines = [n for n in numbers if lines[n - 1].strip()]
    numbers = [n for n in numbers if nonblank_lines and nonblank_lines[0] <= n <= nonblank_lines[-1]]
    signs = {line: sign for statement in snippet.statements for line, sign in statement.signs.items()}
    for sign, group in groupby(numbers, signs.get):
        yield sign, list(group)


def parse(text: str, path: Path | str, name: str, rules: Rules = ANY) -> Snippet:
    """Read a snippet from its text. Raises SnippetError if the text is malformed.

    If this Python cannot parse the program, and does not meet its `# when:` either, only title and manifest are read.
    """
    try:
        return _Parser(text, Path(path), name, rules).parse()
    except SnippetError as error:
        head = _HEAD_WITH_CONDITION.match(text) if error.message.startswith("is not Python") else None
        if not head:
            raise
        snippet = _Parser(f"{head[0]}pass\n", Path(path), name, rules).parse()
        from snippetcheck.conditions import unmet_condition  # imported late: see `snippetcheck.manifest`

        if not unmet_condition(snippet.manifest.when):
            raise
        return replace(snippet, text=text)


def _walk_statements(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    """Yield (statement, the statement before it in the same block or None) for the statements at any depth."""
    previous = None
    for node in body:
        yield node, previous
        previous = node
        for name in ("body", "orelse", "finalbody"):
            yield from _walk_statements(getattr(node, name, []))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _walk_statements(part.body)


def is_print(node: ast.stmt) -> bool:
    """Return whether a statement is a call of `print`."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"


class _Parser:
    def __init__(self, text: str, path: Path, name: str, rules: Rules):
        self.text, self.path, self.name, self.rules = text, path, name, rules
        self.comments: dict[int, tuple[int, str]] = {}  # (column, text) by line

    def fail(self, line: int, message: str, remedy: str) -> SnippetError:
        return SnippetError(self.path, line, message, remedy)

    def parse(self) -> Snippet:
        check_text(self.text, self.fail)
        tree = self.parse_syntax()
        self.read_comments()
        docstring = ast.get_docstring(tree)
        head, body = (tree.body[0], tree.body[1:]) if docstring is not None else (None, tree.body)
        if not body:
            raise self.fail(1, "has no statements", "write the program under the title")
        title = " ".join((docstring or "").split())
        if head and not title:
            raise self.fail(1, "has an empty title", "write one sentence in the docstring, or remove it")
        head_last = (head.end_lineno or 1) if head else self.line_before_program()
        reader = Reader(self.comments, self.rules, self.fail)
        manifest = reader.read(head_last, first_line(body[0]), needs_key=head is None)
        spans = blocks(body)
        if head and spans[0][0] <= head_last:
            raise self.fail(spans[0][0], "has a statement in the line of the title", "move it to the next line")
        reader.check_stray(manifest, head_last)
        expectations, texts = self.find_expectations(body, spans)
        named_regions, marks = regions.read(self.comments, spans, self.fail)
        statements = tuple(
            Statement(first, last, *expected.read(expectations.get(last, []), self.fail), texts.get(last))
            for first, last in spans
        )
        for statement in statements[:-1]:
            if statement.error:  # it ends the program
                remedy = "catch the error and print it, or move it to the end of another file"
                raise self.fail(statement.error.line, "#! stands above other statements, which never run", remedy)
        packages = frozenset(imports(body, self.text.split("\n")))
        read_again = partial(parse, path=self.path, name=self.name, rules=self.rules)
        return Snippet(
            *(self.path, self.name, title, head_last, manifest, statements, named_regions, packages, self.text, marks),
            read_again=read_again,
        )

    def line_before_program(self) -> int:
        """Return the number of the line before the first line of a program without a title. A `#!` line is skipped."""
        lines = self.text.split("\n")
        return next(n for n, line in enumerate(lines) if line.strip() and not (n == 0 and _SHEBANG.match(line)))

    def parse_syntax(self) -> ast.Module:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the run reports them
                tree = ast.parse(self.text, filename=str(self.path))
                compile(tree, str(self.path), "exec", dont_inherit=True)  # finds errors that the parser does not
                return tree
        except SyntaxError as error:
            message = f"is not Python: {error.msg}"
            raise self.fail(error.lineno or 1, message, "correct the syntax") from None
        except (RecursionError, MemoryError):
            raise self.fail(1, "is nested too deeply", "write it with fewer brackets or operators") from None

    def read_comments(self) -> None:
        lines = self.text.split("\n")
        self.comments = comments(self.text)
        if _SHEBANG.match(self.text):
            del self.comments[1]
        for line, (column, comment) in sorted(self.comments.items()):
            self.check_comment(line, column, comment, lines[line - 1])

    def check_comment(self, line: int, column: int, comment: str, source: str) -> None:
        exact = EXPECTATION.fullmatch(comment)
        if not exact:
            if _WITHOUT_BLANK.match(comment):
                raise self.near_miss(line, comment)
            return
        if source[:column].strip():
            remedy = "move it to a separate line, under the statement"
            raise self.fail(line, f"#{exact[1].rstrip('?')} stands after code", remedy)
        if column and exact[1] in "!~":
            remedy = "put it at column 0, under the whole top-level statement"
            raise self.fail(line, f"#{exact[1]} is indented", remedy)
        if _ADDRESS.search(comment):
            remedy = "write ... instead, in a `#>?` line or at the end of a `#!` or `#~` line"
            raise self.fail(line, "shows an address, which changes with every run", remedy)

    def near_miss(self, line: int, comment: str) -> SnippetError:
        forms = "`#> text`, `#>? text ...`, `#2> text`, `#! Error: text` or `#~ Warning: text`"
        remedy = f"write {forms}, with one space after the sign; begin a comment with a word"
        return self.fail(line, f"nearly an expected line: {comment.strip()!r}", remedy)

    def find_expectations(
        self, body: list[ast.stmt], spans: list[tuple[int, int]]
    ) -> tuple[dict[int, list[expected.MarkedLine]], dict[int, tuple[int, int]]]:
        """Map the last line of each top-level statement to its expected lines, and to the span of the string that holds them.

        The second mapping has only statements whose output is in a triple-quoted string under a `print`. Raises
        SnippetError for an expected line that is malformed or belongs to no statement.
        """
        lines_by_owner: dict[int, list[expected.MarkedLine]] = {}
        texts: dict[int, tuple[int, int]] = {}
        ends = [last for _, last in spans]
        columns_by_last = {last: {0} for last in ends}  # of all statements, at any depth
        starts = [first for first, _ in spans]
        for node, previous in _walk_statements(body):
            columns_by_last.setdefault(node.end_lineno or 0, set()).add(node.col_offset)
            if previous is not None and (lines := self.lines_of_text(previous, node)):
                owner = ends[bisect.bisect(starts, previous.lineno) - 1]
                lines_by_owner.setdefault(owner, []).extend(lines)
                texts[owner] = (node.lineno, node.end_lineno or node.lineno)
        statement_end = None  # the last line of the statement to which an expected line here would belong
        for line in range(1, self.text.count("\n") + 1):
            column, comment = self.comments.get(line, (0, ""))
            match = EXPECTATION.fullmatch(comment)
            if match is None:
                if (
                    statement_end is not None
                    and line not in columns_by_last
                    and not column
                    and _BLANK_BEFORE.match(comment)
                ):
                    raise self.near_miss(line, comment)
                statement_end = line if line in columns_by_last else None
            elif statement_end is None:
                remedy = "put it directly under the statement, with no blank line or comment between"
                raise self.fail(line, f"#{match[1]} must stand directly under a statement", remedy)
            elif column not in columns_by_last[statement_end]:
                remedy = "indent it like the statement that prints, or put it at column 0 under the top-level statement"
                raise self.fail(line, f"#{match[1]} is not indented like a statement above it", remedy)
            else:
                owner = ends[bisect.bisect(starts, statement_end) - 1]
                lines_by_owner.setdefault(owner, []).append((line, match[1], (match[2] or "").rstrip(" \t")))
                texts.pop(owner, None)
        return {owner: sorted(lines) for owner, lines in lines_by_owner.items()}, texts

    def lines_of_text(self, previous: ast.stmt, node: ast.stmt) -> list[expected.MarkedLine]:
        """Return the expected output in `node`, a triple-quoted string on the line below the `print` statement `previous`.

        pytest-examples writes output in this form. For other statements, return [].
        """
        lines = self.text.split("\n")[node.lineno - 1 : node.end_lineno]
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and is_print(previous)):
            return []
        if node.lineno != (previous.end_lineno or 0) + 1 or lines[0].strip() not in _TEXT_QUOTES:
            return []
        inner = str(node.value.value).split("\n")[1:-1]
        if lines[-1].strip() not in _TEXT_QUOTES or len(inner) != len(lines) - 2:
            return []
        return [
            (line, ">", text[node.col_offset :].rstrip(" \t") if not text[: node.col_offset].strip() else text)
            for line, text in enumerate(inner, node.lineno + 1)
        ]
