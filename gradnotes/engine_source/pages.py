"""Generate the pages with the source of reference_impl: a page for each module, and an index."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from gradnotes import inputs
from gradnotes.engine_source import annotate, symbols
from gradnotes.problems import InputError

PACKAGE = "reference_impl"
_PACKAGES = (
    "core",
    "autograd",
    "ops",
    "nn",
    "optim",
    "utils",
    "fast",
)  # in reading order; other packages follow
_OPENING = re.compile(r'(?:#.*\n|\s)*[rR]?"""(.*?)(?:\n\s*\n|""")', re.DOTALL)  # the first paragraph of the docstring
TITLE = "The engine's source"
INDEX = "engine/index.md"


def pages(root: Path) -> dict[str, str]:
    """Map the path below docs/ of each page with engine source to its Markdown, in the order of the index.

    The index is the first page. An empty module has no page. Without an engine, return {}.
    """
    if not (root / PACKAGE / "__init__.py").is_file():
        return {}
    inputs.note(root / PACKAGE)
    core_order = _reading_order(root / PACKAGE / "core" / "__init__.py", root)
    files = sorted(
        (root / PACKAGE).rglob("*.py"), key=lambda path: _sort_key(annotate.module_name(path, root), core_order)
    )
    pages = {INDEX: ""}
    rows: dict[str, list[str]] = {}
    for path in files:
        name = annotate.module_name(path, root)
        source = _source(path, root)
        if source is not None and not source.strip():
            continue
        address = f"engine/{name.replace('.', '/')}.md"
        opening = _OPENING.match(source or "")
        summary = " ".join(opening[1].split()) if opening else "No description."
        pages[address] = _page(name, summary, path.relative_to(root).as_posix())
        rows.setdefault(_folder(name), []).append(f"- [`{name}`]({address.removeprefix('engine/')}): {summary}")
    lists = "\n\n".join(f"## {folder}\n\n" + "\n".join(lines) for folder, lines in rows.items())
    pages[INDEX] = (
        f"---\ntitle: {TITLE}\ndescription: Every module of reference_impl, its text beside its code.\ngenerated: true\n---\n\n"
        f"# {TITLE}\n\nEvery module of `{PACKAGE}`, its text beside its code. Each name leads to its definition, and "
        f"each operation to the page that teaches it.\n\n{lists}\n"
    )
    return pages


def nav(pages: dict[str, str]) -> dict[str, list[Any]]:
    """Return the pages as an entry of MkDocs' navigation, with a section for each package of the engine."""
    sections: dict[str, list[str]] = {}
    for address in list(pages)[1:]:
        sections.setdefault(_folder(_module_at(address)), []).append(address)
    return {TITLE: [INDEX, *({folder: pages} for folder, pages in sections.items())]}


def _module_at(address: str) -> str:
    """Return the name of the module whose page is at `address`, a path below docs/."""
    return address.removeprefix("engine/").removesuffix(".md").replace("/", ".")


def _folder(name: str) -> str:
    """Return the package under which a module is listed: a subpackage such as `autograd`, else `reference_impl`."""
    parts = name.split(".")
    inner = [part for part in parts[1:2] if len(parts) > 2 or part in _PACKAGES]
    return inner[0] if inner else PACKAGE


def _source(path: Path, root: Path) -> str | None:
    """Return the text of a module, or None if it cannot be read: rendering its page reports the error."""
    try:
        return inputs.read_text(path, path.relative_to(root).as_posix())
    except InputError:
        return None


def _reading_order(core: Path, root: Path) -> list[str]:
    """Return the dotted names of the core's modules, in the order of the list in the docstring of `core`.

    Return an empty list if `core` is missing or malformed.
    """
    if not core.is_file():
        return []
    name = core.relative_to(root).as_posix()
    try:
        docstring = ast.get_docstring(symbols.syntax_tree(inputs.read_text(core, name), name)) or ""
    except InputError:  # rendering the page of this module reports the error
        return []
    entries = re.findall(r"^    (\w[\w, ]*?/?)  +(.*)", docstring, re.M)
    order: list[str] = []
    for names, description in entries:
        package, is_package, _ = names.partition("/")
        members = [f"{package}.{name}" for name in re.findall(r"\w+", description)] if is_package else []
        order += [package, *members] if is_package else names.split(", ")
    return [f"{PACKAGE}.core.{name}" for name in order]


def _sort_key(name: str, core_order: list[str]) -> tuple[int, int, bool, int, str]:
    """Return the sort key of a module: its package, position in `core_order` (-1 if missing), private modules last."""
    folder = _folder(name)
    package = _PACKAGES.index(folder) if folder in _PACKAGES else len(_PACKAGES)
    position = core_order.index(name) if name in core_order else -1
    return package, position, "._" in name, name.count("."), name


def _page(name: str, summary: str, file: str) -> str:
    title = json.dumps(name.removeprefix(f"{PACKAGE}."))
    description = json.dumps(summary.replace('"', "'"), ensure_ascii=False)
    return (
        f"---\ntitle: {title}\ndescription: {description}\nhide: [toc]\ngenerated: true\n---\n\n"
        f"# `{name}`\n\n``` module\nfile: {file}\n```\n"
    )
