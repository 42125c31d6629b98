"""Execute the notebooks of docs/labs in place, and turn them into pages with mkdocs-jupyter.

    python -m gradnotes.notebooks.labs NOTEBOOK ...    executes notebooks and writes the outputs into them

mkdocs-jupyter finds the notebooks, reads them and passes each to nbconvert, with the template in notebook_template/ and
a filter that renders a cell. The result is Markdown and figures, so that links, notes and anchors are checked and
rendered like those of any other page, and the page stays small.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gradnotes import inputs
from gradnotes.cache import BuildCache
from gradnotes.notebooks import lab_cells
from gradnotes.problems import FenceError, InputError, Problem, report
from gradnotes.templating import render

TEMPLATE = Path(__file__).parent / "notebook_template"
REMEDY = "open it in Jupyter, or undo the last change"
CONVERTERS = ("mkdocs-jupyter", "nbconvert", "nbformat")
_PLACEHOLDER = re.compile(r'<div data-figure="(\d+)"></div>')
# nbconvert parses the template's output as HTML and rewrites it, so the JSON must not look like HTML.
_ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&"})


def prepare(cache: BuildCache) -> None:
    """Make mkdocs-jupyter use the template in notebook_template/, and register the filter that the template calls."""
    from mkdocs_jupyter.config import settings
    from nbconvert.exporters.templateexporter import default_filters

    def lab_cell(cell: dict[str, Any], number: int, name: str) -> str:
        try:
            data: Any = lab_cells.render_cell(cell, number, f"{name}.ipynb", cache)
        except FenceError as error:
            data = {"problem": [f"{name}.ipynb", number, error.message, error.remedy]}
        return json.dumps(data).translate(_ESCAPES)

    settings.templates_dir = str(TEMPLATE)
    default_filters["lab_cell"] = lab_cell


def cached_render(page: Any, cache: BuildCache, options: Mapping[str, Any]) -> Callable[[Any, Any], None]:
    """Return a replacement for `page.render` that caches the converted notebook, because nbconvert takes long to start.

    `options` are the settings of mkdocs-jupyter. If they contain `execute: true`, nothing is cached.

    Raises:
        InputError: the notebook cannot be read. The replacement raises it if the notebook cannot be converted, or changes
            while it is converted.
    """
    render_notebook = page.render
    name, path = page.file.src_uri, Path(page.file.abs_src_path)
    text = inputs.read_text(path, name)
    template = sorted(path for path in TEMPLATE.rglob("*") if path.is_file())
    cache_key = (
        "notebook",
        text,
        name,
        *[file.read_text(encoding="utf-8") for file in template],
        repr(sorted(options.items())),
        *map(version, CONVERTERS),
    )

    def render(config: Any, files: Any) -> None:
        def convert() -> str:
            try:
                render_notebook(config, files)
            except Exception as error:  # nbformat, nbconvert and the kernel raise many types
                message = lab_cells.plain(str(error)).strip().splitlines() or [type(error).__name__]
                raise InputError(f"{name}:1: cannot convert the notebook: {message[-1]}", REMEDY) from error
            if inputs.read_text(path, name) != text:  # the converter has read the file itself
                raise InputError(f"{name}:1: changed while it was converted", "build the site again")
            return str(page.content)

        page.content = convert() if options["execute"] else cache.get(cache_key, convert)

    return render


def split(output: str, logger: str) -> tuple[str, list[str]]:
    """Split the output of mkdocs-jupyter into Markdown, with a placeholder for each figure, and the figures as HTML.

    A cell that cannot be rendered becomes a figure with the problem. The problem is also logged as a warning of
    `logger`; if `logger` is empty, PageError is raised.
    """
    # mkdocs-jupyter adds styles after the JSON list, for markup that the template does not use: omit them.
    cells = json.JSONDecoder().raw_decode(output)[0]
    text: list[str] = []
    figures: list[str] = []
    problems: list[Problem] = []
    for cell in filter(None, cells):
        if "markdown" in cell:
            text.append(cell["markdown"])
            continue
        if "problem" in cell:
            problems.append(Problem(*cell["problem"]))
        text.append(f'<div data-figure="{len(figures)}"></div>')
        figures.append(render("problem", problem=problems[-1]) if "problem" in cell else cell["figure"])
    report(problems, logger)
    return "\n\n".join(text) + "\n", figures


def join(html: str, figures: list[str]) -> str:
    """Replace each placeholder that `split` left with its figure."""
    return _PLACEHOLDER.sub(lambda match: figures[int(match[1])], html)


def read_metadata(path: Path, name: str = "") -> dict[str, str]:
    """Return the `title` and the `description` of a notebook.

    The title is the first line of its Markdown, and the description the first later line that is not a heading. Without
    Markdown, the title is the stem of the file's name, and the description is empty.

    Raises:
        InputError: the file cannot be read or is not a notebook. `name` is its name in the message.
    """
    name = name or path.name
    try:
        cells = json.loads(inputs.read_text(path, name))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{error.lineno}: not a notebook: {error.msg}", REMEDY) from None
    except (LookupError, TypeError):
        raise InputError(f"{name}:1: not a notebook: it has no list of cells", REMEDY) from None
    lines = [line for line in text.split("\n") if line.strip()]
    title = lines[0].lstrip("# ").strip() if lines else path.stem
    return {"title": title, "description": next((line for line in lines[1:] if not line.startswith("#")), "")}


def execute(path: Path, timeout: int = 600) -> None:
    """Run a notebook from top to bottom in a new kernel, and write the outputs into the file.

    `timeout` is the limit per cell, in seconds. After an error, the file is unchanged.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails and is not tagged `raises-exception`.
        nbclient.exceptions.CellTimeoutError: a cell exceeds the limit.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    # A kernel may send the output of a cell in several pieces: join them.
    options: dict[str, Any] = {"timeout": timeout, "record_timing": False, "coalesce_streams": True}
    NotebookClient(notebook, kernel_name="python3", resources=resources, **options).execute()
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": notebook.metadata.get("kernelspec", kernel), "language_info": {"name": "python"}}
    nbformat.write(notebook, path)


def main(names: list[str]) -> int:
    """Execute the notebooks in `names` until one fails; return the exit code."""
    for name in names:
        try:
            execute(Path(name))
        except Exception as error:
            lines = lab_cells.plain(str(error)).strip().splitlines()
            print(f"{name}: {lines[-1] if lines else type(error).__name__}", file=sys.stderr)
            return 1
        print(f"{name}: executed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
