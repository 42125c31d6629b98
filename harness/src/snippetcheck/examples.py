"""Find the examples in existing documentation: fences with `#>` lines, and `>>>` examples.

Fences are read on Markdown pages and in docstrings; `>>>` examples also in reStructuredText and text files. A fence and the
fences that continue it are one snippet. So are all `>>>` examples of a docstring or page, which share their names as in
doctest. The text of a snippet has a blank line for each other line of its file, so that its lines keep their numbers.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from snippetcheck import doctests, pages, snippet
from snippetcheck.pages import Fence, find_fences
from snippetcheck.snippet import Page, Prompts, Rules, Snippet, SnippetError
from snippetcheck.source import package_root, read_utf8

SUFFIXES = (*pages.SUFFIXES, ".rst", ".txt", ".py")

# A line with an expectation, also one that lacks a blank or stands after code, which is an error. Under a `print`, also the
# string in which pytest-examples writes longer output, and `# >`, which ruff and black make of `#>`.
_EXPECTED = re.compile(
    r"""^(?:.*[ \t>])?#2?>(?![>=])|^[ \t>]*#[!~](?: |$)|\)[ \t]*\n[ \t>]*(?:# > |(?:\"{3}|'{3})[ \t]*$)""", re.MULTILINE
)
_PROMPT = re.compile(r"^[ \t]*>>>", re.MULTILINE)
_QUOTED_PROMPT = re.compile(r"[ \t>]*>>>")  # it may be in a fence in a quotation
_FENCE_MARK = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
# The language of a fence: `python`, `{.python .continue}`, `{code-block} python`
_PYTHON = re.compile(r"\{?\s*\.?(?:(?:code-block|code|sourcecode)\}\s*)?(?:python3?|py)(?![\w-])", re.IGNORECASE)
_LANGUAGES = ("python", "python3", "py", "ipython")
_CONTINUES = re.compile(r"(?<![\w-])continue(?![\w=-])")
_INDENTED = re.compile(r"(?:[ \t].*\n?|\n)*")
_MYST_OPTION = re.compile(r":[\w-]+:")
_Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Reader:
    """Reads the examples of files below `root`.

    Args:
        rules: what the manifests of fences may contain.
        options: the option flags of doctest that hold for all `>>>` examples.
        setup: a program that runs before the `>>>` examples of each docstring or page.
    """

    root: Path
    rules: Rules
    options: int = 0
    setup: str = ""

    def read(self, path: Path) -> list[Snippet | SnippetError]:
        """Return the examples of a file and a SnippetError for each malformed example, in the order of lines.

        If the file cannot be read, or is a module with a syntax error, this error is the only item.
        """
        try:
            return self.examples(read_utf8(path), path)
        except SnippetError as error:
            return [error]

    def examples(self, text: str, path: Path) -> list[Snippet | SnippetError]:
        """Return the result of `read` for a file at `path` whose text is `text`."""
        examples: list[Snippet | SnippetError] = []
        page = Page(text, partial(self.examples, path=path))
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        is_python = path.suffix == ".py"
        try:
            documents = list(_docstrings(text, lines)) if is_python else [(lines, "")]
        except SyntaxError as error:
            return [SnippetError(path, error.lineno or 1, f"is not Python: {error.msg}", "correct the syntax")]
        for document, title in documents:
            for example in self._read_document(document, path):
                if isinstance(example, Snippet):
                    example = replace(example, title=example.title or title, page=page)
                examples.append(example)
        return sorted(examples, key=line_of)

    def _read_document(self, lines: list[str], path: Path) -> Iterator[Snippet | SnippetError]:
        text, has_prompts = "\n".join(lines), any(map(_QUOTED_PROMPT.match, lines))
        blocks: list[Fence] = []
        if path.suffix != ".txt" and (_EXPECTED.search(text) or (has_prompts and path.suffix in pages.SUFFIXES)):
            blocks = find_fences(text, path)
        for block, end in zip(blocks, [*(block.line - 1 for block in blocks[1:]), len(lines)], strict=False):
            if problem := _reason_not_read(block, "\n".join(lines[block.line : end])):
                yield SnippetError(path, block.line, *problem)
        if path.suffix == ".py" and _EXPECTED.search(text):
            for block in find_fences(text, path.with_suffix(".rst")):
                if not any(map(_FENCE_MARK.match, block.body)) and (problem := _reason_not_read(block, "")):
                    yield SnippetError(path, block.line, *problem)
        if path.suffix != ".rst":
            yield from self._read_fences(blocks, lines, path)
        if has_prompts:
            try:
                yield from self._read_prompts(blocks, lines, path)
            except SnippetError as error:
                yield error

    def _read_fences(self, fences: list[Fence], lines: list[str], path: Path) -> Iterator[Snippet | SnippetError]:
        """Yield a snippet, or an error, for each Python fence that has expected lines, or whose continuations have some."""
        chains: list[dict[int, str]] = []  # the text of each line, by its number
        for fence in fences:
            if not _PYTHON.match(fence.info) or fence.kind != "unclassified" or _is_doctest(fence):
                continue
            options, body = _split_body(fence, lines)
            if not any(map(_CONTINUES.search, (fence.info, *options))):
                chains.append(body)
            elif chains:
                chains[-1] |= body
            else:
                remedy = "remove `continue` from its first line"
                yield SnippetError(path, fence.line, "`continue` without a Python fence above it", remedy)
        for chain in chains:
            if _EXPECTED.search("\n".join(chain.values())):
                text = "\n".join(chain.get(n, "") for n in range(1, max(chain) + 1)) + "\n"
                first = next(n for n, line in chain.items() if line.strip())
                try:
                    yield snippet.parse(text, path, self._name(path, first), self.rules)
                except SnippetError as error:
                    yield error

    def _read_prompts(self, blocks: list[Fence], lines: list[str], path: Path) -> Iterator[Snippet]:
        """Yield the `>>>` examples of a text as one snippet, if it has any. Raises SnippetError if doctest cannot parse them.

        On a Markdown page, only examples in fences count, and not those in illustrative fences.
        """
        is_module = path.suffix == ".py"
        text_by_line = dict(enumerate(lines, 1))
        if path.suffix in pages.SUFFIXES:
            fences = [fence for fence in blocks if fence.kind != "illustrative" and fence.is_delimited]
            text_by_line = {line: text for fence in fences for line, text in _split_body(fence, lines)[1].items()}
        texts = [text_by_line.get(n, "") for n in range(1, len(lines) + 1)]
        text = "\n".join("" if _FENCE_MARK.match(text) else text for text in texts)
        prompts = Prompts(_module_name(path) if is_module else "", self.setup)
        first = next((n for n, line in enumerate(text.split("\n"), 1) if _PROMPT.match(line)), 0)
        example = doctests.parse(text + "\n", path, self._name(path, first), self.rules, prompts, self.options)
        if example:
            yield example

    def _name(self, path: Path, line: int) -> str:
        return f"{Path(os.path.relpath(path, self.root)).as_posix()}:{line}"  # a link may lead out of `root`


def line_of(example: Snippet | SnippetError) -> int:
    """Return the first line number of an example, or the line number of an error."""
    return example.line if isinstance(example, SnippetError) else int(example.name.rpartition(":")[2])


def _reason_not_read(block: Fence, following: str) -> tuple[str, str] | None:
    """Return (problem, remedy) if a block has expected lines or prompts and is not read; None for any other block.

    `following` is the text between the first line of the block and the next block.
    """
    suffix, body, is_python = block.page.suffix, "\n".join(block.body), _PYTHON.match(block.info)
    if block.kind != "unclassified":
        return None
    if suffix != ".rst" and not block.is_delimited:  # an open fence, indented code or HTML
        text = f"{body}\n{_INDENTED.match(following)[0]}" if body else following  # type: ignore[index]
        if (_PROMPT.search(text) or _EXPECTED.search(text)) and (is_python or suffix in pages.SUFFIXES):
            return str(block.problem), str(block.remedy)
    elif _EXPECTED.search(body) and not _is_doctest(block):
        words = re.findall(r"[\w-]+", block.info.lower())[:2]
        if suffix == ".rst" and (is_python or not words):
            remedy = "write `>>>` examples, or `.. illustrative: why it is not run` above it"
            return "expected lines in reStructuredText, which are not read", remedy
        resembles_python = any(difflib.get_close_matches(word, _LANGUAGES, cutoff=0.7) for word in words)
        if suffix != ".rst" and not is_python and (resembles_python or words in ([], ["code-cell"])):
            remedy = 'write `python` after the opening fence, or `{.text illustrative="why it is not run"}`'
            if words[:1] == ["code-cell"]:
                remedy = (
                    "write `{code-block} python`, which is run here and not by the notebook, or remove the `#>` lines"
                )
            return f"expected lines in a fence that is not of Python: {block.info!r}", remedy
    return None


def _is_doctest(fence: Fence) -> bool:
    return bool(_PROMPT.match(next((line for line in fence.body if line.strip()), "")))


def _split_body(fence: Fence, lines: list[str]) -> tuple[list[str], dict[int, str]]:
    """Return the option lines of a MyST directive, and the other lines of the fence by line number, with their tabs."""
    options: list[str] = []
    body: dict[int, str] = {}
    for number, text in enumerate(fence.body, fence.line + 1):
        line = lines[number - 1]
        start = len(line.expandtabs(4)) - len(text)
        if not body and fence.info.startswith("{") and _MYST_OPTION.match(text):
            options.append(text)
        else:
            body[number] = line[start:] if "\t" not in line[:start] else text
    return options, body


def _docstrings(text: str, lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """Yield (lines, name) for each docstring with examples, also for those of variables, which stand under an assignment.

    The lines are those of the file, but blank outside the docstring. The name is that of the class, function or module.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    for node, name in _walk_definitions(tree):
        for previous, statement in pairwise([None, *node.body]):
            match statement:
                case ast.Expr(ast.Constant(str(docstring))) if isinstance(previous, ast.Assign | ast.AnnAssign | None):
                    value, before = docstring.split("\n"), statement.lineno - 1
                    if ">>>" in docstring or _EXPECTED.search(docstring):
                        yield [*[""] * before, *value, *[""] * (len(lines) - before - len(value))], name


def _walk_definitions(tree: ast.Module) -> Iterator[tuple[_Definition, str]]:
    """Yield (node, name in reports) of the module and of each class and function in it, at any depth."""
    yield tree, ""
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield node, f"{parent.name}.{node.name}" if isinstance(parent, ast.ClassDef) else node.name


def _module_name(path: Path) -> str:
    """Return the dotted name under which Python imports a file. A folder with `__init__.py` is a package."""
    return ".".join(path.relative_to(package_root(path)).with_suffix("").parts).removesuffix(".__init__")
