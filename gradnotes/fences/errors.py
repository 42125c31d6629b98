"""The fence `errors`: every error and warning that a snippet shows, by type, each with the example that shows it."""

from __future__ import annotations

import ast
import contextlib
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from snippetcheck.kinds import Kind
from snippetcheck.snippet import Snippet, Statement

from gradnotes import reading_order
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, folded, table
from gradnotes.fences.problems import FenceError
from gradnotes.fences.project import Project

_NAMED = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt)):? (.+)", re.DOTALL)


@shows(Kind("errors"))
def errors(project: Project, page: Page, keys: dict[str, str]) -> str:
    """A folded table for each type.

    A message has one row, with an example of a page that quotes it in its text, if one does; of several that which shows fewest
    others, or the first such to be read.
    """
    found: dict[str, dict[str, tuple[str, str]]] = {}
    order = {where: place for place, where in enumerate(reading_order.reading_order(project.docs))}
    ranked = []
    shown_on = project.shown()
    for name, where in shown_on.items():
        with contextlib.suppress(FenceError):  # the page that shows it says what is wrong
            shown = dict.fromkeys(_messages_of(project, name))
            texts = [(kind, f"{kind}: {message}" if message else kind) for kind, message in shown]
            ranked.append((len(texts), order.get(where, len(order)), name, texts))
    whole = _whole({text for *_, texts in ranked for _, text in texts})
    prose = {where: _flat(project.text(where)) for where in set(shown_on.values())}
    examples: dict[tuple[str, str], list[tuple[bool, str]]] = {}
    for *_, name, texts in sorted(ranked):
        for kind, text in texts:
            elsewhere = _begin(whole[text]) not in prose[shown_on[name]]
            examples.setdefault((kind, whole[text]), []).append((elsewhere, name))
    for (kind, text), shown_by in examples.items():
        _, name = min(shown_by, key=itemgetter(0))  # of several the first
        found.setdefault(kind, {})[text] = (f"<code>{html.escape(text)}</code>", project.example(name, page.path))
    folds = []
    for kind in sorted(found, key=str.lower):
        rows = [found[kind][text] for text in sorted(found[kind], key=str.lower)]
        listed = table(("Message", "Example"), rows, None)
        folds.append(folded(f"{html.escape(kind)}: {len(rows)}", listed, page.id_for(kind)))
    return f'<div data-filter="Show those with these words">{"".join(folds)}</div>'


def _messages_of(project: Project, name: str) -> list[tuple[str, str]]:
    return project.once(("messages", name), lambda: list(messages(project.snippet(name))))


def _flat(text: str) -> str:
    return re.sub(r"\s*\n(?:> ?)?\s*|\s+", " ", text)


def _begin(text: str) -> str:
    """What a page that quotes a message will have of it; of a message of few words nothing that can be found."""
    message = _flat(text.partition(": ")[2].removesuffix(" ..."))
    return message[:45] if len(message.split()) > 4 else "\0"


def _whole(texts: set[str]) -> dict[str, str]:
    """For each text the longest that begins like it: where an example leaves off the end, one row is enough for both."""
    longest = sorted(texts, key=len, reverse=True)

    def begins(one: str, text: str) -> bool:
        said = text.removesuffix(" ...")
        return one.startswith(said) and (said != text or len(text.split()) > 8)  # few words may be another message

    return {text: next((one for one in longest if begins(one, text)), text) for text in texts}


@dataclass(frozen=True)
class _Catch:
    """What a statement, or a function that it calls, catches and prints."""

    types: frozenset[str]
    before: str  # what its lines have before the message, as a regular expression
    alone: bool  # nothing else of it prints


def messages(snippet: Snippet) -> Iterator[tuple[str, str]]:
    """The type and the message of each error that the snippet raises or catches and prints, and of each warning."""
    functions: dict[str, list[_Catch]] = {}
    for statement in snippet.statements:
        if statement.error:
            yield statement.error.type, statement.error.message
        yield from ((warning.category, warning.message) for warning in statement.warnings)
        source = "\n".join(snippet.lines[statement.first - 1 : statement.last])
        if "except " not in source and not any(name in source for name in functions):
            continue
        (node,) = ast.parse(source).body
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = list(_catches(node))
        elif statement.output:
            called = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & functions.keys()
            catches = [*_catches(node), *(one for name in sorted(called) for one in functions[name])]
            yield from _printed(statement, catches, once=isinstance(node, ast.Try))


def _catches(node: ast.AST) -> Iterator[_Catch]:
    prints = [part for part in ast.walk(node) if isinstance(part, ast.Call) and ast.unparse(part.func) == "print"]
    for handler in ast.walk(node):
        if not (isinstance(handler, ast.ExceptHandler) and handler.type and handler.name):
            continue
        name = re.escape(handler.name)
        for call in (part for part in ast.walk(handler) if part in prints):
            shape = re.fullmatch(rf"(.*?)\b(?:str\()?{name}\b.*", ", ".join(map(ast.unparse, call.args)))
            if shape:
                types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                kinds = frozenset(ast.unparse(one).rpartition(".")[2] for one in types)
                head = shape[1].removeprefix("f'").removesuffix("{").removeprefix("*")
                before = r"[^:]*: " if head.endswith(": ") else r"\S+ " if head else ""
                yield _Catch(kinds, before, len(prints) == 1)


def _printed(statement: Statement, catches: list[_Catch], once: bool) -> Iterator[tuple[str, str]]:
    """The messages among the lines: a `try` prints one, of however many lines; anything else one in each line.

    A line that names no type has the one that is caught; where several are, it cannot be told, and is left out. Where
    something else prints too, a line of few words is taken for that.
    """
    if not catches:
        return
    types = frozenset().union(*(catch.types for catch in catches))
    lines = [line.text for line in statement.output]
    for text in ["\n".join(lines)] if once else lines:
        named = _NAMED.fullmatch(text)
        if named:
            yield named[1], named[2]
            continue
        message = re.sub(f"^{catches[0].before}", "", text)
        if len(types) == 1 and (catches[0].alone or len(message.split()) > 4):
            yield next(iter(types)), message
