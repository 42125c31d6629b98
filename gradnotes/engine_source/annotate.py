"""Split a module of reference_impl into docstrings and code, and link each name in the code to its definition.

The module is parsed, not imported. `name` and `name.attribute` are linked if the module defines `name` or imports it
from reference_impl, `self.name` if it is a method of the class. Parameters and variables are not linked.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from pygments.formatters.html import _get_ttype_class
from pygments.lexers import PythonLexer
from pygments.token import Name, Token, _TokenType

from gradnotes.engine_source import symbols
from gradnotes.templating import escape

_LEXER = PythonLexer(stripnl=False, ensurenl=False)
AddressOf = Callable[[str], "str | None"]  # dotted name -> address of its source on a page, or None


@dataclass(frozen=True)
class Part:
    """A piece of a module: a definition, the imports at its top, or the statements between two definitions."""

    name: str  # of the function or class; empty for imports and statements
    kind: str  # "class", "def", "import" or, for statements, ""
    text: str  # the docstring
    code: str
    first: int  # line of the file in which the code begins
    local: frozenset[str]  # parameters and variables, which are not linked
    members: frozenset[str]  # names of the methods of a class


def module_name(path: Path, root: Path) -> str:
    """Return the dotted name of the module in a file, such as `reference_impl.core.backward`."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def split_module(source: str, name: str) -> tuple[str, list[Part]]:
    """Return the docstring of a module, and its parts in order.

    Raises:
        InputError: the source is not Python. `name` is the name of the file in the message.
    """
    tree = symbols.syntax_tree(source, name)
    lines = source.splitlines()
    body = list(tree.body)
    text = ast.get_docstring(tree) or ""
    start = 1
    if text:
        start = (body.pop(0).end_lineno or 1) + 1
    module_parts: list[Part] = []
    if imports := list(itertools.takewhile(_is_import, body)):
        last = imports[-1].end_lineno or start
        module_parts += _statements_between(lines, start, last, "import")
        start = last + 1
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        while first > start and lines[first - 2].startswith("#"):
            first -= 1  # comments directly above belong to the definition
        module_parts += _statements_between(lines, start, first - 1)
        module_parts.append(_definition_part(node, lines, first))
        start = (node.end_lineno or first) + 1
    module_parts += _statements_between(lines, start, len(lines))
    return text, module_parts


def _is_import(node: ast.stmt) -> bool:
    """Return whether a statement is an import, or an `if TYPE_CHECKING:` block."""
    is_block = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
    return is_block or isinstance(node, ast.Import | ast.ImportFrom)


def _statements_between(lines: list[str], first: int, last: int, kind: str = "") -> list[Part]:
    """Return lines `first` to `last` as a list with one part, without blank lines at its ends; [] if all are blank."""
    while first <= last and not lines[first - 1].strip():
        first += 1
    while first <= last and not lines[last - 1].strip():
        last -= 1
    if first > last:
        return []
    return [Part("", kind, "", "\n".join(lines[first - 1 : last]), first, frozenset(), frozenset())]


def _definition_part(node: ast.FunctionDef | ast.ClassDef, lines: list[str], first: int) -> Part:
    """Return the part of a function or class. The code of the part begins in line `first`.

    The code contains the docstring only if the body has no other statement.
    """
    text = ast.get_docstring(node) or ""
    rows = dict(enumerate(lines[first - 1 : node.end_lineno], first))
    if text:
        doc = node.body[0]
        if len(node.body) > 1:
            next_line = min(
                node.body[1].lineno, *(d.lineno for d in getattr(node.body[1], "decorator_list", [])), 10**9
            )
            for number in range(doc.lineno, (doc.end_lineno or doc.lineno) + 1):
                rows.pop(number, None)
            number = (doc.end_lineno or doc.lineno) + 1
            while number < next_line and not lines[number - 1].strip():
                rows.pop(number, None)
                number += 1
    local: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.arg):
            local.add(inner.arg)
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            local.add(inner.id)
    kind = "class" if isinstance(node, ast.ClassDef) else "def"
    members = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} if kind == "class" else set()
    return Part(node.name, kind, text, "\n".join(rows.values()), first, frozenset(local), frozenset(members))


def dotted_names_of(source: str, path: Path, root: Path) -> dict[str, str]:
    """Map each name that a module defines, or imports from the engine, to its dotted name.

    Raises:
        InputError: the source is not Python.
    """
    module = module_name(path, root)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    top = module.split(".")[0]
    tree = symbols.syntax_tree(source, path.relative_to(root).as_posix())
    dotted_names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            if base.split(".")[0] == top:
                dotted_names |= {alias.asname or alias.name: f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            dotted_names |= {a.asname: a.name for a in node.names if a.asname and a.name.split(".")[0] == top}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            dotted_names[node.name] = f"{module}.{node.name}"
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            dotted_names |= {t.id: f"{module}.{t.id}" for t in targets if isinstance(t, ast.Name)}
    return dotted_names


def link_code(part: Part, dotted_names: dict[str, str], module: str, address_of: AddressOf) -> Markup:
    """Return the code of a part as HTML, highlighted as Pygments does, with its names linked.

    The HTML is not written with a template: for the 340,000 tokens of the engine, that would take ten times as long.
    """
    pieces: list[str] = []
    previous: list[str] = ["", ""]  # the last two tokens that are not white space
    for kind, value in _LEXER.get_tokens(part.code):
        target = None
        start, end, is_name, is_builtin = _markup_of(kind)
        if is_name and (not is_builtin or value in dotted_names):
            target = _link_target(value, previous, part, dotted_names, module)
        href = address_of(target) if target else None
        text = f'<a href="{_escape(href)}">{_escape(value)}</a>' if href else _escape(value)
        pieces.append(f"{start}{text}{end}")
        if value.strip():
            previous = [previous[1], value]
    return Markup("".join(pieces))


_escape = functools.lru_cache(10_000)(escape)


@functools.cache
def _markup_of(kind: _TokenType) -> tuple[str, str, bool, bool]:
    """Return (start tag, end tag, whether it is a name, whether it is a built-in name) of a token of this kind."""
    tags = ("", "") if kind in Token.Text else (f'<span class="{_get_ttype_class(kind)}">', "</span>")
    return *tags, kind in Name, kind in Name.Builtin


def _link_target(value: str, previous: list[str], part: Part, dotted_names: dict[str, str], module: str) -> str | None:
    """Return the dotted name to which the token `value` links, or None. `previous` has the two tokens before it.

    A member in `self.member` links to its class. Local names have no link.
    """
    if previous[1] == ".":
        if previous[0] == "self" and value in part.members:
            return f"{module}.{part.name}"
        if previous[0] in dotted_names and previous[0] not in part.local:
            return f"{dotted_names[previous[0]]}.{value}"
        return None
    if previous[1] in ("def", "class") or value in part.local:
        return None
    return dotted_names.get(value)


def docstring_blocks(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (kind, text, items) of each block of a docstring.

    The kind is "paragraph", "code" (indented) or "list" (the entries under `Args:`, `Raises:` and so on). Only a list
    has items; its text is the heading.
    """
    for block in re.split(r"\n\s*\n", text.strip()):
        head, _, rest = block.partition("\n")
        if re.fullmatch(r"(Args|Returns|Raises|Attributes|Yields|Note|Example)s?:", head.strip()) and rest:
            yield "list", head.strip()[:-1], list(_list_items(rest))
        elif all(line.startswith("    ") for line in block.split("\n") if line.strip()):
            yield "code", block, []
        else:
            yield "paragraph", " ".join(block.split()), []


def _list_items(block: str) -> Iterator[str]:
    """Yield the entries of an indented list. A line with more indentation continues the entry before it."""
    lines = [line for line in block.split("\n") if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    entry: list[str] = []
    for line in lines:
        if len(line) - len(line.lstrip()) == depth and entry:
            yield " ".join(entry)
            entry = []
        entry.append(line.strip())
    if entry:
        yield " ".join(entry)
