"""Fetch and pack what Run needs: Pyodide from the npm registry, and its NumPy wheel.

docs/runtime/package.json names the version of Pyodide.

    python -m gradnotes.site.runtime FOLDER [--numpy WHEEL]

The wheel comes from the option, from FOLDER, from ../shared/pyodide, or else from the address at which Pyodide
publishes its packages. Its sha256 must be the one in Pyodide's lock file. python_archive.py packs Pyodide and NumPy for
the browser.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from gradnotes.site import python_archive

MANIFEST = Path(__file__).parents[2] / "docs" / "runtime" / "package.json"
VERSION: str = json.loads(MANIFEST.read_text(encoding="utf-8"))["dependencies"]["pyodide"]
FILES = python_archive.PYODIDE
ARCHIVES = ("python.tar.gz", "engine.tar.gz")  # the archives that Run downloads
SOURCES = "sources.tar.gz"  # an archive that Run also downloads if Python cannot start from the recorded memory
ADDRESS = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
HARNESS = (  # modules of snippetcheck that run in the browser
    "__init__",
    "compare",
    "engines",
    "expected",
    "manifest",
    "numbers",
    "outcome",
    "program",
    "regions",
    "snippet",
    "source",
)


class RuntimeMissing(Exception):
    """A file that the Run button needs (Pyodide, NumPy or the engine) cannot be fetched or packed."""


def fetch(folder: Path, numpy: Path | None = None) -> Path:
    """Fetch Pyodide and NumPy into `folder`, unless `folder` has version VERSION. Return the path of the NumPy wheel.

    Other NumPy wheels in `folder` are removed.

    Raises:
        RuntimeMissing: a file cannot be fetched, or the wheel `numpy` or a downloaded one has the wrong checksum.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (is_complete(folder) and f'"{VERSION}"' in (folder / "pyodide.mjs").read_text(encoding="utf-8")):
        _fetch_pyodide(folder)
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    package = lock["packages"]["numpy"]
    wheel = folder / package["file_name"]
    _remove_old_files(folder, "numpy-*.whl", wheel)
    shared_wheel = Path(__file__).resolve().parents[3] / "shared" / "pyodide" / package["file_name"]
    for candidate in (numpy, wheel, shared_wheel):
        if candidate is None or not candidate.is_file():
            continue
        if _sha256(candidate) == package["sha256"]:
            if candidate != wheel:
                shutil.copyfile(candidate, wheel)
            return wheel
        if candidate == numpy:
            raise RuntimeMissing(
                f"{candidate}: sha256 must be {package['sha256']}, got {_sha256(candidate)}\n"
                f"    download {package['file_name']} of Pyodide {VERSION} again"
            )
    _download(ADDRESS.format(version=VERSION, file=package["file_name"]), wheel, package["sha256"])
    return wheel


def is_complete(folder: Path) -> bool:
    """Return whether `folder` has all files of Pyodide, of any version."""
    return all((folder / name).is_file() for name in FILES)


def _fetch_pyodide(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        command = ["npm", "pack", "--silent", f"pyodide@{VERSION}"]
        try:
            subprocess.run(command, cwd=name, check=True, timeout=600, capture_output=True, text=True)
        except (OSError, subprocess.SubprocessError) as error:
            reason = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
            raise RuntimeMissing(f"npm pack pyodide@{VERSION} failed: {reason[-1] if reason else error}") from None
        with tarfile.open(next(Path(name).glob("*.tgz"))) as archive:
            for file in FILES:
                source = archive.extractfile(f"package/{file}")
                if source is None:
                    raise RuntimeMissing(
                        f"the npm package pyodide@{VERSION} has no {file}\n    correct FILES in {__file__}"
                    )
                (folder / file).write_bytes(source.read())


def _download(address: str, target: Path, sha256: str) -> None:
    partial_file = target.with_suffix(".part")
    try:
        with urllib.request.urlopen(address, timeout=60) as answer, partial_file.open("wb") as file:
            shutil.copyfileobj(answer, file)
    except OSError as error:
        partial_file.unlink(missing_ok=True)
        raise RuntimeMissing(
            f"{address}: {error}\n    download it elsewhere and run: make runtime NUMPY_WHEEL=path/to/it"
        ) from None
    if (actual_sha256 := _sha256(partial_file)) != sha256:
        partial_file.unlink()
        raise RuntimeMissing(f"{address}: sha256 must be {sha256}, got {actual_sha256}\n    run `make runtime` again")
    partial_file.replace(target)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def install(folder: Path, site: Path, root: Path) -> bool:
    """Copy the archives that Run downloads, and a list of their sizes, into the built site.

    Return False, and copy nothing, if `folder` lacks Pyodide or NumPy; else return True. Archives are packed in `folder`,
    and packed again only if one of their inputs has changed.

    Raises:
        RuntimeMissing: Node could not pack the archives.
    """
    wheels = sorted(folder.glob("numpy-*.whl"))
    if not wheels or not is_complete(folder):
        return False
    target = site / "runtime"
    target.mkdir(exist_ok=True)
    try:
        for name, archive in archives(folder, wheels[-1], engine_files(root)).items():
            shutil.copyfile(archive, target / name)
    except python_archive.NodeFailed as error:
        raise RuntimeMissing(
            f"{error}\n    correct this, or remove {folder} to build a site without the Run button"
        ) from None
    sizes = {name: python_archive.sizes(target / name) for name in ARCHIVES}
    (target / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")
    return True


def archives(folder: Path, wheel: Path, engine: dict[str, bytes]) -> dict[str, Path]:
    """Return the archives that Run downloads, by file name. Pack those that are missing in `folder` or outdated.

    Raises:
        NodeFailed: Node could not pack the archives.
    """
    scripts = [python_archive.START, python_archive.SCRIPT, Path(python_archive.__file__)]
    key = _digest(path.read_bytes() for path in [*scripts, wheel, *(folder / name for name in FILES)])
    stage = folder / f"python-{key}"
    python, sources = stage.with_suffix(".tar.gz"), folder / f"sources-{key}.tar.gz"
    if not python.is_file():
        imports = python_archive.standard_imports(text for name, text in engine.items() if name.endswith(".py"))
        python_archive.write_python(folder, wheel, imports, stage, python, sources)
        _remove_old_files(folder, "python-*", stage, python)
        _remove_old_files(folder, "sources-*", sources)
    engine_archive = (
        folder
        / f"engine-{_digest([key.encode(), *chain.from_iterable((k.encode(), v) for k, v in engine.items())])}.tar.gz"
    )
    if not engine_archive.is_file():
        python_archive.write_engine(folder, stage, engine, engine_archive)
        _remove_old_files(folder, "engine-*", engine_archive)
    return {"python.tar.gz": python, "engine.tar.gz": engine_archive, SOURCES: sources}


def _digest(contents: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for content in contents:
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()[:16]


def _remove_old_files(folder: Path, pattern: str, *current_files: Path) -> None:
    for path in folder.glob(pattern):
        if path not in current_files:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def engine_files(root: Path) -> dict[str, bytes]:
    """Return the files that Run imports, as bytes by their path in the browser's Python.

    They are reference_impl, and the parts of gradnotes and snippetcheck that run in the browser.
    """
    engine = (root / "reference_impl").rglob("*.*")
    files = [path for path in engine if path.suffix in (".py", ".txt")]  # signatures are text files
    files += [
        *(root / "gradnotes" / f"{name}.py" for name in ("__init__", "words")),
        *(file for room in ("browser", "viewer") for file in (root / "gradnotes" / room).glob("*.py")),
        *(
            root / "gradnotes" / "recorder" / f"{name}.py"
            for name in ("__init__", "program", "backward_passes", "plots")
        ),
    ]
    files += [  # these draw plots
        root / "gradnotes" / "figures" / f"{name}.py" for name in ("__init__", "axes", "plot_drawing", "png", "svg")
    ]
    files += [root / "gradnotes" / "exercises" / f"{name}.py" for name in ("__init__", "check")]
    files += [path for path in (root / "gradnotes" / "stand_in").rglob("*.*") if path.suffix in (".py", ".gz")]
    harness = root / "harness" / "src"
    files += [harness / "snippetcheck" / f"{name}.py" for name in HARNESS]
    bases = {path: harness if path.is_relative_to(harness) else root for path in files}
    return {path.relative_to(bases[path]).as_posix(): path.read_bytes() for path in sorted(files)}


def main() -> int:
    """Fetch and pack the files. Return the exit code."""
    parser = argparse.ArgumentParser(description="Fetch and pack Pyodide and NumPy, which run examples in the browser.")
    parser.add_argument("folder", type=Path, help="folder for the files, .cache/runtime in `make runtime`")
    parser.add_argument("--numpy", type=Path, help="the NumPy wheel; by default it is downloaded")
    options = parser.parse_args()
    try:
        wheel = fetch(options.folder, options.numpy)
        archives(options.folder, wheel, engine_files(Path.cwd()))
    except (RuntimeMissing, python_archive.NodeFailed) as error:
        print(f"runtime: {error}", file=sys.stderr)
        return 1
    print(f"Pyodide {VERSION} and {wheel.name} are in {options.folder}; the next build includes them")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
