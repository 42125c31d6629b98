"""The pages of the annotated engine: one for each of its modules, and one that lists them."""

from __future__ import annotations

from pathlib import Path

from snippet_fences import modules

PACKAGE = "reference_impl"
TITLE = "The engine's source"


def pages(root: Path) -> dict[str, str]:
    """Path below docs/ -> Markdown, in the order in which they are listed."""
    if not (root / PACKAGE / "__init__.py").is_file():
        return {}
    files = sorted((root / PACKAGE).rglob("*.py"), key=_order)
    found = {"engine/index.md": ""}
    rows: dict[str, list[str]] = {}
    for path in files:
        name = modules.module_name(path, root)
        text, parts = modules.parts(path)
        if not parts and not text:
            continue
        address = f"engine/{name.replace('.', '/')}.md"
        summary = " ".join(text.split("\n\n")[0].split()) or "No description."
        found[address] = _page(name, summary, path.relative_to(root).as_posix())
        folder = path.parent.relative_to(root).as_posix()
        rows.setdefault(folder, []).append(f"- [`{name}`]({address.removeprefix('engine/')}): {summary}")
    lists = "\n\n".join(f"## {folder}/\n\n" + "\n".join(lines) for folder, lines in rows.items())
    found["engine/index.md"] = (
        f"---\ntitle: {TITLE}\ndescription: Every module of reference_impl, its text beside its code.\n---\n\n"
        f"# {TITLE}\n\nEvery module of `{PACKAGE}`, its text beside its code. Each name leads to its definition, and "
        f"each operation to the page that teaches it.\n\n{lists}\n"
    )
    return found


def _order(path: Path) -> tuple[int, str]:
    return len(path.parts) - (path.name == "__init__.py"), path.as_posix()


def _page(name: str, summary: str, file: str) -> str:
    title = name.removeprefix(f"{PACKAGE}.")
    description = summary.replace('"', "'")
    return (
        f'---\ntitle: "{title}"\ndescription: "{description}"\nhide: [toc]\n---\n\n# `{name}`\n\n'
        f"``` module\nfile: {file}\n```\n"
    )
