"""The notebooks of docs/labs: executed in place, and turned into pages.

    python -m site_build.labs NOTEBOOK ...    executes each and writes its outputs into it

A page is Markdown made from the notebook's cells, so links, notes and anchors in it are checked and
shown like those of any other page, and it weighs no more than they do.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from snippet_fences import notebooks
from snippet_fences.problems import FenceError


def page(path: Path, docs: Path) -> str:
    """The Markdown of the page for the notebook in `path`, which lies below `docs`."""
    name = path.relative_to(docs).as_posix()
    cells = notebooks.read(path)["cells"]
    text = [notebooks.source(cell) for cell in cells if cell["cell_type"] == "markdown"]
    first = [line for line in "\n".join(text).split("\n") if line.strip()]
    title = first[0].lstrip("# ").strip() if first else path.stem
    about = next((line for line in first[1:] if not line.startswith("#")), "")
    out = [f"---\ntitle: {json.dumps(title)}\ndescription: {json.dumps(about)}\n---\n"]
    for number, cell in enumerate(cells, 1):
        if cell["cell_type"] == "markdown":
            out.append(notebooks.source(cell))
        elif cell["cell_type"] == "code" and notebooks.source(cell).strip():
            out.append(f"``` cell\nfile: {name}\nnumber: {number}\n```")
    out.append(f'<p class="page-as"><a href="{path.name}" download>This page as a notebook</a></p>')
    return "\n\n".join(out) + "\n"


def pages(docs: Path) -> dict[str, str]:
    """Path below `docs` -> Markdown, for every notebook there."""
    found = {}
    for path in sorted(docs.rglob("*.ipynb")):
        try:
            found[path.relative_to(docs).with_suffix(".md").as_posix()] = page(path, docs)
        except FenceError:  # the page's own fence says it again, with its line
            shown = f"# {path.stem}\n\n``` cell\nfile: {path.relative_to(docs).as_posix()}\nnumber: 1\n```\n"
            found[path.relative_to(docs).with_suffix(".md").as_posix()] = shown
    return found


def execute(path: Path, timeout: int = 600) -> None:
    """Run a notebook from top to bottom in a fresh kernel and write the outputs into it.

    Raises nbclient's CellExecutionError for a cell that fails and is not tagged `raises-exception`.
    """
    import nbformat
    from nbclient import NotebookClient

    book: Any = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    # A kernel may send what a cell prints in several pieces, now here and now there: they are joined.
    options = {"timeout": timeout, "record_timing": False, "coalesce_streams": True}
    NotebookClient(book, kernel_name="python3", resources=resources, **options).execute()
    book.metadata = {"kernelspec": book.metadata.get("kernelspec", {}), "language_info": {"name": "python"}}
    nbformat.write(book, path)


def main(names: list[str]) -> int:
    for name in names:
        try:
            execute(Path(name))
        except Exception as error:
            lines = notebooks.plain(str(error)).strip().splitlines()
            print(f"{name}: {lines[-1] if lines else type(error).__name__}", file=sys.stderr)
            return 1
        print(f"{name}: executed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
