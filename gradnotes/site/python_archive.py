"""Pack Python for the browser: Pyodide, NumPy, the standard library, and the memory of a Python that has imported them.

Restoring this memory takes a tenth of the time that starting Python takes. python_archive.mjs, a script for Node,
records the memory with Pyodide.
"""

from __future__ import annotations

import ast
import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
SCRIPT = Path(__file__).with_suffix(".mjs")
START = Path(__file__).parents[2] / "docs" / "runtime" / "start.mjs"
HOME = "/home/pyodide"  # folder of gradnotes, snippetcheck and reference_impl in the browser's Python
PACKAGES = "lib/python3.14/site-packages"
PREPARATION = """
import gradnotes.browser.check_exercise
from gradnotes.browser import run
run.prepare()

# Step viewers show the rules of nodes. Parsing the sources of common rules takes time.
from reference_impl.autograd import rules
from reference_impl.core.node import Node

def subclasses(cls):
    for subclass in cls.__subclasses__():
        yield subclass
        yield from subclasses(subclass)

for node_class in subclasses(Node):
    if getattr(node_class, "source_module", "").startswith("reference_impl.core."):
        rules.rule_of(node_class)
rules._functions.cache_clear()  # the sources are large
"""
_OMITTED_FROM_NUMPY = ("/tests/", "/f2py/", "/_pyinstaller/", "_tests.cpython", "_simd.cpython")
_TIMEOUT = 600  # seconds


class NodeFailed(Exception):
    """Node is not installed, or its script failed."""


def write_python(
    folder: Path, wheel: Path, imports: list[str], stage: Path, target: Path, sources_target: Path
) -> None:
    """Pack Pyodide and NumPy into the archive `target`.

    Args:
        folder: the folder with the files of Pyodide
        wheel: NumPy, built for Pyodide
        imports: modules of the standard library to import, with NumPy, before the memory is recorded
        stage: folder to create or replace, with the unpacked files and memory.bin; an argument of `write_engine`
        target: archive to write
        sources_target: archive to write with the sources that `target` lacks, because the memory has them compiled

    Raises:
        NodeFailed: Node is not installed, or its script failed.
    """
    with tempfile.TemporaryDirectory(dir=folder) as name:
        draft = Path(name) / "stage"
        library = draft / PACKAGES
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(library, [entry for entry in archive.namelist() if _is_needed(entry)])
        libraries = [f"/{path.relative_to(draft).as_posix()}" for path in sorted(library.rglob("*.so"))]
        (draft / "libraries.json").write_text(json.dumps(libraries), encoding="utf-8")
        for file in PYODIDE:
            shutil.copyfile(folder / file, draft / file)
        sources = {path: path.read_bytes() for path in library.rglob("*.py")}
        _compile_libraries(folder, draft)
        # Pyodide lacks some modules of the standard library
        attempts = (f"try: import {module}\nexcept ImportError: pass" for module in imports)
        program = "\n".join(["import numpy", *attempts])
        origins = _run_node("record", str(draft), str(draft / "memory.bin"), program)
        for path in [*library.rglob("*.pyc"), draft / "compiled.zip"]:
            path.unlink()
        for path, content in sources.items():
            path.write_bytes(content)
        all_contents = _contents(draft)
        _drop_imported_sources(draft, json.loads(origins))
        remaining_contents = _contents(draft)
        dropped_contents = {
            name: content for name, content in all_contents.items() if content != remaining_contents.get(name)
        }
        write_tar(sources_target, dropped_contents)
        _drop_packages_of_lock_file(draft / "pyodide-lock.json")
        write_tar(target, {name: content for name, content in _contents(draft).items() if name != "memory.bin"})
        shutil.rmtree(stage, ignore_errors=True)
        draft.rename(stage)


def write_engine(folder: Path, stage: Path, files: Mapping[str, bytes], target: Path) -> None:
    """Pack `files`, their bytecode, and the memory of a Python that has imported them, into the archive `target`.

    `stage` is the folder that `write_python` has created.

    Raises:
        NodeFailed: Node is not installed, or its script failed.
    """
    with tempfile.TemporaryDirectory(dir=folder) as name:
        tree = Path(name) / "tree"
        for file, content in files.items():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            (tree / file).write_bytes(content)
        compile_tree(stage, tree, prependdir=HOME)
        memory = Path(name) / "memory.bin"
        _run_node("record", str(stage), str(memory), PREPARATION, str(tree))
        write_tar(target, {**_contents(tree), "memory.bin": memory.read_bytes()})


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _is_needed(name: str) -> bool:
    if name.startswith("numpy/"):
        return name.endswith((".py", ".so")) and not any(part in name for part in _OMITTED_FROM_NUMPY)
    return ".dist-info/licenses/" in name or name.endswith(".dist-info/METADATA")


def _compile_libraries(folder: Path, stage: Path) -> None:
    """Compile the standard library, without docstrings, into compiled.zip, and NumPy in place. Delete NumPy's sources.

    If Python compiled them during the import, garbage would remain in the recorded memory.
    """
    standard = stage / "standard"
    with zipfile.ZipFile(stage / "python_stdlib.zip") as archive:
        archive.extractall(standard)
    # NumPy needs its docstrings: numpy.ma derives docstrings from them.
    for tree, prefix, level in ((standard, "/lib/python314.zip", 2), (stage / PACKAGES, f"/{PACKAGES}", 0)):
        compile_tree(folder, tree, prependdir=prefix, optimize=level, legacy=True)
        for path in tree.rglob("*.py"):
            path.unlink()
    with zipfile.ZipFile(stage / "compiled.zip", "w") as archive:
        for path in sorted(standard.rglob("*")):
            archive.write(path, path.relative_to(standard))
    shutil.rmtree(standard)


def compile_tree(folder: Path, tree: Path, **options: Any) -> None:
    """Compile the modules below `tree` with the Pyodide in `folder`. `options` are passed to compileall.

    Raises:
        NodeFailed: Node is not installed, or its script failed.
    """
    _run_node("compile", str(folder), str(tree), json.dumps(options))


def _run_node(*arguments: str) -> str:
    command = ["node", str(SCRIPT), *arguments]
    try:
        return subprocess.run(command, check=True, timeout=_TIMEOUT, capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise NodeFailed("Node.js is not installed") from None
    except subprocess.SubprocessError as error:
        reason = (getattr(error, "stderr", "") or str(error)).strip()
        raise NodeFailed(f"node {SCRIPT.name} {arguments[0]} failed: {reason[-2000:]}") from None


def standard_imports(sources: Iterable[bytes]) -> list[str]:
    """Return the modules of the standard library that `sources` import at top level, sorted."""
    names = set()
    for source in sources:
        for node in ast.parse(source).body:
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    return sorted(name for name in names if name.partition(".")[0] in sys.stdlib_module_names)


def _drop_imported_sources(stage: Path, origins: list[str]) -> None:
    """Delete the sources of the modules whose bytecode files are `origins`: the recorded memory has these modules."""
    imported_paths = {origin.removesuffix("c") for origin in origins}
    for path in (stage / PACKAGES).rglob("*.py"):
        if f"/{path.relative_to(stage).as_posix()}" in imported_paths:
            path.unlink()
    library = stage / "python_stdlib.zip"
    with zipfile.ZipFile(library) as archive:
        members = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(library, "w") as archive:
        for name, content in sorted(members.items()):
            if f"/lib/python314.zip/{name}" not in imported_paths:
                archive.writestr(zipfile.ZipInfo(name), content)


def _drop_packages_of_lock_file(path: Path) -> None:
    lock = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")


def write_tar(target: Path, contents: Mapping[str, bytes]) -> None:
    """Write a compressed tar archive of `contents`, path -> bytes. Equal contents give equal bytes."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(contents.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    partial = target.with_suffix(f".{os.getpid()}")
    partial.write_bytes(gzip.compress(tar.getvalue(), compresslevel=7, mtime=0))
    partial.replace(target)


def sizes(archive: Path) -> dict[str, int]:
    """Return the `stored` and the `unpacked` size of a compressed archive, in bytes.

    Run needs both for its progress bar: if the host declares the compression, browsers count unpacked bytes.
    """
    content = archive.read_bytes()
    # gzip stores the unpacked size in the last four bytes
    return {"stored": len(content), "unpacked": int.from_bytes(content[-4:], "little")}
