"""Render the `errors` fence: each error and warning in the expected output of snippets, by type, with an example."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from markupsafe import Markup
from snippetcheck.fence_types import FenceType
from snippetcheck.snippet import Snippet, Statement

from gradnotes import reading_order
from gradnotes.fences.registry import renders
from gradnotes.links import Link, snippet_link
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.templating import render

_TYPE_AND_MESSAGE = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt)):? (.+)", re.DOTALL)


@renders(FenceType("errors"))
def render_errors(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a folded table for each type of error or warning, with a row for each message.

    The row links to an example: a snippet with the message in its expected output, if possible on a page that quotes
    the message. Of several such snippets, the example is the one with the fewest messages, then the first in reading
    order.
    """
    examples_by_type: dict[str, dict[str, Link]] = {}
    for (kind, text), name in _choose_examples(project).items():
        examples_by_type.setdefault(kind, {})[text] = snippet_link(project, name, page.path)
    types = [
        (page.id_for(kind), kind, sorted(examples_by_type[kind].items(), key=lambda item: item[0].lower()))
        for kind in sorted(examples_by_type, key=str.lower)
    ]
    return render("errors", types=types)


def _choose_examples(project: Project) -> dict[tuple[str, str], str]:
    """Map each message, as (type, `type: message`), to the name of the snippet that is its example."""
    position = {page_path: index for index, page_path in enumerate(reading_order.reading_order(project.docs))}
    ranking = []
    pages = project.pages_by_snippet()
    for name, page_path in pages.items():
        with contextlib.suppress(FenceError):  # rendering the page reports the malformed snippet
            texts = [(text.partition(": ")[0], text) for text in snippet_messages(project, name)]
            ranking.append((len(texts), position.get(page_path, len(position)), name, texts))
    full_texts = _longest_texts({text for *_, texts in ranking for _, text in texts})
    prose = {page_path: _join_lines(project.text(page_path)) for page_path in set(pages.values())}
    examples: dict[tuple[str, str], list[tuple[bool, str]]] = {}
    for *_, name, texts in sorted(ranking):
        for kind, text in texts:
            is_unquoted = _quoted_start(full_texts[text]) not in prose[pages[name]]
            examples.setdefault((kind, full_texts[text]), []).append((is_unquoted, name))
    # min() returns the first of several equal candidates
    return {message: min(candidates, key=itemgetter(0))[1] for message, candidates in examples.items()}


def snippet_messages(project: Project, name: str) -> list[str]:
    """Return the distinct errors and warnings in the expected output of a snippet, as `type: message`.

    An error without a message is returned as its type.

    Raises:
        FenceError: the snippet is missing or malformed.
    """

    def load() -> list[str]:
        pairs = dict.fromkeys(messages(project.snippet(name)))
        return [f"{kind}: {message}" if message else kind for kind, message in pairs]

    return project.memoize(("messages", name), load)


def _join_lines(text: str) -> str:
    """Return `text` on one line, without the `>` of block quotes."""
    return re.sub(r"\s*\n(?:> ?)?\s*|\s+", " ", text)


def _quoted_start(text: str) -> str:
    """Return the first 45 characters of the message in `type: message`, to search for on pages.

    If the message has under five words, a page may contain it by chance. Then return NUL, which no page contains.
    """
    message = _join_lines(text.partition(": ")[2].removesuffix(" ..."))
    return message[:45] if len(message.split()) > 4 else "\0"


def _longest_texts(texts: set[str]) -> dict[str, str]:
    """Map each text to the longest text that begins with it, since expected output may omit the end of a message.

    A short text that does not end with ` ...` is mapped to itself.
    """
    longest = sorted(texts, key=len, reverse=True)

    def begins_with(candidate: str, text: str) -> bool:
        start = text.removesuffix(" ...")
        is_long = len(text.split()) > 8  # a short text without " ..." may be a complete message
        return candidate.startswith(start) and (start != text or is_long)

    return {text: next((candidate for candidate in longest if begins_with(candidate, text)), text) for text in texts}


@dataclass(frozen=True)
class _Catch:
    """An `except` clause that prints the error, in a statement or in a function that the statement calls."""

    types: frozenset[str]
    prefix: str  # regular expression for what is printed before the message
    is_only_print: bool  # the statement or function has no other call of `print`


def messages(snippet: Snippet) -> Iterator[tuple[str, str]]:
    """Yield (type, message) of each error that a snippet raises, catches and prints, or assigns, and of each warning.

    A snippet assigns an error, `expected = "RuntimeError: message"`, if the error that it raises depends on the build.
    """
    functions: dict[str, list[_Catch]] = {}
    for statement in snippet.statements:
        if statement.error:
            yield statement.error.type, statement.error.message
        yield from ((warning.type, warning.message) for warning in statement.warnings)
        source = "\n".join(snippet.lines[statement.first - 1 : statement.last])
        if "Error: " in source:
            yield from _assigned_errors(source)
        if "except " not in source and not any(name in source for name in functions):
            continue
        (node,) = ast.parse(source).body
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = list(_find_catches(node))
        elif statement.output:
            called_names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & functions.keys()
            catches = [*_find_catches(node), *(catch for name in sorted(called_names) for catch in functions[name])]
            yield from _printed_messages(statement, catches, is_single=isinstance(node, ast.Try))


def _assigned_errors(source: str) -> Iterator[tuple[str, str]]:
    """Yield (type, message) of each assignment of an error, `name = "type: message"`."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            match = _TYPE_AND_MESSAGE.fullmatch(node.value.value)
            if match:
                yield match[1], match[2]


def _find_catches(node: ast.AST) -> Iterator[_Catch]:
    prints = [part for part in ast.walk(node) if isinstance(part, ast.Call) and ast.unparse(part.func) == "print"]
    for handler in ast.walk(node):
        if not (isinstance(handler, ast.ExceptHandler) and handler.type and handler.name):
            continue
        name = re.escape(handler.name)
        for call in (part for part in ast.walk(handler) if part in prints):
            match = re.fullmatch(rf"(.*?)\b(?:str\()?{name}\b.*", ", ".join(map(ast.unparse, call.args)))
            if match:
                types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                kinds = frozenset(ast.unparse(caught_type).rpartition(".")[2] for caught_type in types)
                head = match[1].removeprefix("f'").removesuffix("{").removeprefix("*")
                prefix = r"[^:]*: " if head.endswith(": ") else r"\S+ " if head else ""
                yield _Catch(kinds, prefix, len(prints) == 1)


def _printed_messages(statement: Statement, catches: list[_Catch], is_single: bool) -> Iterator[tuple[str, str]]:
    """Yield (type, message) of each error in the output of a statement that catches and prints errors.

    If `is_single`, the whole output is one message, else each line is a message. A message that does not name its type
    gets the type that the statement catches; if the statement catches several types, the message is skipped. If the
    statement has other calls of `print`, such messages of at most four words are skipped too.
    """
    if not catches:
        return
    types = frozenset().union(*(catch.types for catch in catches))
    lines = [line.text for line in statement.output]
    for text in ["\n".join(lines)] if is_single else lines:
        match = _TYPE_AND_MESSAGE.fullmatch(text)
        if match:
            yield match[1], match[2]
            continue
        message = re.sub(f"^{catches[0].prefix}", "", text)
        if len(types) == 1 and (catches[0].is_only_print or len(message.split()) > 4):
            yield next(iter(types)), message
