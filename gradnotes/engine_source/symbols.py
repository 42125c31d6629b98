"""Find the source of a function, class, method or constant by its dotted name, without importing it.

`reference_impl.core.backward.run_backward` is looked up in the syntax tree of reference_impl/core/backward.py. If a
package re-exports a name, the source is that of the definition.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gradnotes import inputs
from gradnotes.problems import FenceError, InputError, close_match


@dataclass(frozen=True)
class Source:
    """A piece of a source file: lines `first` to `last`, 1-based and inclusive."""

    symbol: str
    path: Path
    first: int
    last: int
    text: str  # dedented, without a final line end
    is_definition: bool = (
        False  # whether the symbol is or is in a function or class: these have anchors on the module's page
    )


def find(symbol: str, root: Path) -> Source:
    """Return the source of `symbol`, a dotted name such as `reference_impl.core.backward.run_backward`.

    `root` is the folder that contains the package of the symbol.

    Raises:
        FenceError: no module defines the name, or modules re-export it in a circle.
        InputError: a module is not Python, or cannot be read.
    """
    return _find(symbol, root, depth=0)


def outline(source: str, name: str) -> list[list[str]]:
    """Return the `from` imports and the definitions of a module as lists of texts. They decide where links lead.

    Raises:
        InputError: the source is not Python. `name` is the name of the file in the message.
    """
    entries = []
    for statement in _body(syntax_tree(source, name)):
        if isinstance(statement, ast.ImportFrom):
            entries.append([ast.unparse(statement)])
        elif names := _defined_names(statement):
            entries.append([type(statement).__name__, *names, *_members(statement)])
    return entries


def _find(symbol: str, root: Path, depth: int) -> Source:
    if depth > 8:
        raise FenceError(f"symbol {symbol!r} is re-exported in a circle", "name the module that defines it")
    parts = symbol.split(".")
    module, path, module_length = _longest_module(parts, root)
    names = parts[module_length:]
    name = path.relative_to(root).as_posix()
    source = inputs.read_text(path, name)
    if not names:
        lines = source.splitlines()
        return Source(symbol, path, 1, len(lines), "\n".join(lines))
    tree = syntax_tree(source, name)
    node: ast.AST = tree
    for index, name in enumerate(names):
        definition = _member(node, name)
        if definition is None:
            origin = _import_source(tree, name, module, path) if node is tree else None
            if origin:
                return _find(".".join([origin, *names[index + 1 :]]), root, depth + 1)
            scope = ".".join(parts[: module_length + index])
            remedy = close_match(name, _members(node), f"use a name that {path.name} defines")
            raise FenceError(f"no {name!r} in {scope}", remedy)
        node = definition
    assert isinstance(node, ast.stmt)  # names is not empty, so a statement was found
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    last = node.end_lineno or first
    lines = source.splitlines()[first - 1 : last]
    top = _member(tree, names[0])
    is_definition = isinstance(top, ast.FunctionDef | ast.ClassDef)
    return Source(symbol, path, first, last, textwrap.dedent("\n".join(lines)), is_definition)


def _longest_module(parts: list[str], root: Path) -> tuple[str, Path, int]:
    """Return (name, file, number of parts) of the longest prefix of `parts` that is a module below `root`.

    Raises:
        FenceError: there is no such module.
    """
    best: tuple[str, Path, int] | None = None
    for length in range(1, len(parts) + 1):
        base = root.joinpath(*parts[:length])
        for path in (base / "__init__.py", base.with_suffix(".py")):
            if inputs.is_file(path):
                best = (".".join(parts[:length]), path, length)
    if best is None:
        packages = [path.parent.name for path in root.glob("*/__init__.py")]
        remedy = close_match(parts[0], packages, "begin with a package of this project")
        raise FenceError(f"no module for symbol {'.'.join(parts)!r}", remedy)
    return best


@lru_cache(maxsize=512)
def syntax_tree(source: str, name: str) -> ast.Module:
    """Return the syntax tree of a module. Do not modify it: it is shared.

    Raises:
        InputError: the source is not Python. `name` is the name of the file in the message.
    """
    try:
        return ast.parse(source, filename=name)
    except SyntaxError as error:
        raise InputError(f"{name}:{error.lineno or 1}: not Python: {error.msg}", "correct the syntax") from None
    except ValueError as error:  # a null character
        raise InputError(f"{name}:1: not Python: {error}", "correct the syntax") from None


def _body(node: ast.AST) -> list[ast.stmt]:
    """Return the statements of a module or class, including those inside `if`, `try` and `with` and in their `else`.

    Statements in `elif`, `except` and `finally` blocks are left out.
    """
    statements: list[ast.stmt] = []
    for child in getattr(node, "body", []):
        if isinstance(child, ast.If | ast.Try | ast.With):
            statements += _body(child)
            statements += [inner for inner in getattr(child, "orelse", [])]
        else:
            statements.append(child)
    return statements


def _defined_names(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def _members(node: ast.AST) -> list[str]:
    return [name for statement in _body(node) for name in _defined_names(statement)]


def _member(node: ast.AST, name: str) -> ast.stmt | None:
    """Return the last statement in a module or class that defines `name`, or None."""
    if not isinstance(node, ast.Module | ast.ClassDef):
        return None
    definitions = [statement for statement in _body(node) if name in _defined_names(statement)]
    return definitions[-1] if definitions else None


def _import_source(tree: ast.Module, name: str, module: str, path: Path) -> str | None:
    """Return the dotted name from which the module `module` imports `name`, or None if it has no such import."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for statement in _body(tree):
        if not isinstance(statement, ast.ImportFrom):
            continue
        for alias in statement.names:
            if (alias.asname or alias.name) != name:
                continue
            base = statement.module or ""
            if statement.level:
                parents = package.split(".")[: len(package.split(".")) - statement.level + 1]
                base = ".".join([*parents, *([base] if base else [])])
            return f"{base}.{alias.name}"
    return None
