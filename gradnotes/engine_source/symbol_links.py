"""Link names of reference_impl to the pages with their source, and operations to the pages that teach them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from pathlib import PurePosixPath

from gradnotes import inputs
from gradnotes.engine_source import symbols
from gradnotes.links import link
from gradnotes.problems import InputError
from gradnotes.project import Project


def source_link(project: Project, symbol: str, page: str) -> str | None:
    """Return the address, relative to `page`, of the source of `symbol`, a dotted name.

    Return None if no page has the source, or if the symbol is the module on `page` itself.
    """
    target = project.memoize(("source", symbol), lambda: _source_location(project, symbol))
    if target is None or not target[0].startswith("engine/reference_impl"):
        return None
    path = link(target[0], page) if target[0] != page.removesuffix(".md") + ".html" else ""
    return f"{path}#{target[1]}" if target[1] else path or None


def _source_location(project: Project, symbol: str) -> tuple[str, str] | None:
    """Return (address of the page, anchor or "") of the source of a symbol, or None if no module defines the symbol."""
    try:
        source = symbols.find(symbol, project.root)
    except InputError:
        return None
    module = source.path.relative_to(project.root).as_posix()
    module = module.removesuffix("/__init__.py").removesuffix(".py")
    top = source.symbol.removeprefix(module.replace("/", ".")).lstrip(".").split(".")[0]
    return f"engine/{module}.html", top if source.is_definition else ""


def outline_fingerprint(project: Project) -> str:
    """Return a fingerprint of the names that the engine's modules define and import: they decide where links lead."""
    return project.memoize("engine names", lambda: _outline_fingerprint(project))


def _outline_fingerprint(project: Project) -> str:
    outlines = {}
    engine = project.root / "reference_impl"
    inputs.note(engine)
    for path in sorted(engine.rglob("*.py")):
        name = path.relative_to(project.root).as_posix()
        with contextlib.suppress(InputError):  # rendering the page of the module reports the error
            source = inputs.read_text(path, name)
            outlines[path.as_posix()] = project.cache.get(
                ("outline", source),
                lambda: symbols.outline(source, name),  # noqa: B023
            )
    return hashlib.sha256(json.dumps(outlines).encode()).hexdigest()


def pages_by_operation(project: Project) -> dict[str, str]:
    """Map the name of each operation that a snippet calls to the page that teaches the operation.

    The page is one whose snippets call the operation: best a page with a snippet named after the operation, else a page
    whose name contains the name of the operation. Of two pages of the same kind, an index page comes second. Of equally
    good pages, the first is chosen.
    """
    return project.memoize("pages by operation", lambda: _pages_by_operation(project))


def _pages_by_operation(project: Project) -> dict[str, str]:
    ranked_pages: dict[str, tuple[int, str]] = {}
    for page_path in project.pages():
        page = PurePosixPath(page_path)
        for name in dict.fromkeys(fence.keys.get("file", "") for fence in project.fences(page_path)):
            path = project.find_below(project.snippets, name) if name.endswith(".py") else None
            if path is None:
                continue
            for operation in _called_methods(project, name):
                rank = (
                    3 * (operation == path.stem)
                    + 2 * (operation.replace("_", "-") in page.stem)
                    - (page.stem == "index")
                )
                if operation not in ranked_pages or rank > ranked_pages[operation][0]:
                    ranked_pages[operation] = (rank, page_path)
    return {name: page_path for name, (_, page_path) in ranked_pages.items()}


def _called_methods(project: Project, name: str) -> frozenset[str]:
    """Return the names that a snippet calls after a dot, such as `exp` in `torch.exp(x)` and in `x.exp()`."""
    return project.memoize(("calls", name), lambda: _find_called_methods(project, name))


def _find_called_methods(project: Project, name: str) -> frozenset[str]:
    try:
        return frozenset(re.findall(r"\.(\w+)\(", inputs.read_text(project.snippets / name, f"snippets/{name}")))
    except InputError:
        return frozenset()  # rendering the page reports the error
