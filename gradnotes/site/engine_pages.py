"""The pages of the annotated engine: one for each of its modules, and one that lists them."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from gradnotes import inputs
from gradnotes.fences import modules, symbols
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
)  # in the order in which they are read; then the rest
_OPENING = re.compile(r'(?:#.*\n|\s)*[rR]?"""(.*?)(?:\n\s*\n|""")', re.DOTALL)  # the first paragraph of the docstring
TITLE = "The engine's source"
INDEX = "engine/index.md"


def pages(root: Path) -> dict[str, str]:
    """Path below docs/ -> Markdown, in the order in which they are listed."""
    if not (root / PACKAGE / "__init__.py").is_file():
        return {}
    inputs.note(root / PACKAGE)
    first = _reading_order(root / PACKAGE / "core" / "__init__.py", root)
    files = sorted((root / PACKAGE).rglob("*.py"), key=lambda path: _order(modules.module_name(path, root), first))
    found = {INDEX: ""}
    rows: dict[str, list[str]] = {}
    for path in files:
        name = modules.module_name(path, root)
        source = _source(path, root)
        if source is not None and not source.strip():
            continue
        address = f"engine/{name.replace('.', '/')}.md"
        opening = _OPENING.match(source or "")
        summary = " ".join(opening[1].split()) if opening else "No description."
        found[address] = _page(name, summary, path.relative_to(root).as_posix())
        rows.setdefault(_folder(name), []).append(f"- [`{name}`]({address.removeprefix('engine/')}): {summary}")
    lists = "\n\n".join(f"## {folder}\n\n" + "\n".join(lines) for folder, lines in rows.items())
    found[INDEX] = (
        f"---\ntitle: {TITLE}\ndescription: Every module of reference_impl, its text beside its code.\ngenerated: true\n---\n\n"
        f"# {TITLE}\n\nEvery module of `{PACKAGE}`, its text beside its code. Each name leads to its definition, and "
        f"each operation to the page that teaches it.\n\n{lists}\n"
    )
    return found


def nav(found: dict[str, str]) -> dict[str, list[Any]]:
    """The entry of the pages in the nav: a section for each package of the engine."""
    sections: dict[str, list[str]] = {}
    for address in list(found)[1:]:
        sections.setdefault(_folder(_module_at(address)), []).append(address)
    return {TITLE: [INDEX, *({folder: pages} for folder, pages in sections.items())]}


def _module_at(address: str) -> str:
    """The name of the module whose page is at `address`, a path below docs/."""
    return address.removeprefix("engine/").removesuffix(".md").replace("/", ".")


def _folder(name: str) -> str:
    """The package that a module is listed under: `autograd`, `ops`, or the engine itself."""
    parts = name.split(".")
    inner = [part for part in parts[1:2] if len(parts) > 2 or part in _PACKAGES]
    return inner[0] if inner else PACKAGE


def _source(path: Path, root: Path) -> str | None:
    """The text of a module; None if it cannot be read, which its page says."""
    try:
        return inputs.read_text(path, path.relative_to(root).as_posix())
    except InputError:
        return None


def _reading_order(core: Path, root: Path) -> list[str]:
    """The modules of the core in the order in which the docstring of `core` lists them: each a line, a name and what it is."""
    if not core.is_file():
        return []
    name = core.relative_to(root).as_posix()
    try:
        docstring = ast.get_docstring(symbols.syntax_tree(inputs.read_text(core, name), name)) or ""
    except InputError:  # its page says what is wrong
        return []
    listed = re.findall(r"^    (\w[\w, ]*?/?)  +(.*)", docstring, re.M)
    order: list[str] = []
    for names, what in listed:
        package, is_package, _ = names.partition("/")
        inside = [f"{package}.{name}" for name in re.findall(r"\w+", what)] if is_package else []
        order += [package, *inside] if is_package else names.split(", ")
    return [f"{PACKAGE}.core.{name}" for name in order]


def _order(name: str, first: list[str]) -> tuple[int, int, bool, int, str]:
    """The core as it is to be read, then the packages, then what lies beside them, private rooms last."""
    folder = _folder(name)
    package = _PACKAGES.index(folder) if folder in _PACKAGES else len(_PACKAGES)
    place = first.index(name) if name in first else -1
    return package, place, "._" in name, name.count("."), name


def _page(name: str, summary: str, file: str) -> str:
    title = json.dumps(name.removeprefix(f"{PACKAGE}."))
    description = json.dumps(summary.replace('"', "'"), ensure_ascii=False)
    return (
        f"---\ntitle: {title}\ndescription: {description}\nhide: [toc]\ngenerated: true\n---\n\n"
        f"# `{name}`\n\n``` module\nfile: {file}\n```\n"
    )
