"""Fetches what Run needs: Pyodide from the npm registry, and the NumPy wheel that belongs to it.

    python -m gradnotes.site.runtime FOLDER [--numpy WHEEL]

The wheel is taken from the file given, from FOLDER, from ../shared/pyodide, or else from the address
at which Pyodide publishes the files of its lock file. Its sha256 must be the one in that lock file.
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
import zipfile
from pathlib import Path

VERSION = "314.0.3"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ADDRESS = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
HARNESS = (
    "__init__",
    "compare",
    "engines",
    "expected",
    "limits",
    "manifest",
    "outcome",
    "program",
    "snippet",
    "source",
    "wildcards",
)
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold: the same bytes at every build


class RuntimeMissing(Exception):
    """Something that could not be fetched, and how to give it by hand."""


def fetch(folder: Path, numpy: Path | None = None) -> Path:
    """Put the runtime into `folder`; what is there already is kept. Raises RuntimeMissing."""
    folder.mkdir(parents=True, exist_ok=True)
    if not all((folder / name).is_file() for name in FILES):
        _pyodide(folder)
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    wanted = lock["packages"]["numpy"]
    wheel = folder / wanted["file_name"]
    shared = Path(__file__).resolve().parents[3] / "shared" / "pyodide" / wanted["file_name"]
    for given in (numpy, wheel, shared):
        if given is None or not given.is_file():
            continue
        if _sha256(given) == wanted["sha256"]:
            if given != wheel:
                shutil.copyfile(given, wheel)
            return wheel
        if given == numpy:
            raise RuntimeMissing(f"{given}: its sha256 is not {wanted['sha256']}, the one in Pyodide's lock file")
    _download(ADDRESS.format(version=VERSION, file=wanted["file_name"]), wheel, wanted["sha256"])
    return wheel


def _pyodide(folder: Path) -> None:
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
                    raise RuntimeMissing(f"the npm package pyodide@{VERSION} has no {file}")
                (folder / file).write_bytes(source.read())


def _download(address: str, target: Path, sha256: str) -> None:
    partial = target.with_suffix(".part")
    try:
        with urllib.request.urlopen(address, timeout=60) as answer, partial.open("wb") as file:
            shutil.copyfileobj(answer, file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise RuntimeMissing(
            f"{address}: {error}\n    get that file some other way and run: make runtime NUMPY_WHEEL=path/to/it"
        ) from None
    if _sha256(partial) != sha256:
        partial.unlink()
        raise RuntimeMissing(f"{address}: its sha256 is not {sha256}")
    partial.replace(target)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def install(folder: Path, site: Path, root: Path) -> bool:
    """Put the runtime, if it was fetched, and the engine under the built site."""
    names = [path for path in sorted(folder.glob("*")) if path.name in FILES or path.suffix == ".whl"]
    if len(names) <= len(FILES):
        return False
    target = site / "runtime"
    target.mkdir(exist_ok=True)
    for path in names:
        shutil.copyfile(path, target / path.name)
    write_engine(root, target / "engine.zip")
    return True


def write_engine(root: Path, target: Path) -> None:
    """The packages that the page imports, as one archive with fixed dates."""
    engine = (root / "reference_impl").rglob("*.*")
    files = [path for path in engine if path.suffix in (".py", ".txt")]  # its tables of arguments are text
    files += [root / "gradnotes" / "__init__.py", *(root / "gradnotes" / "steps").glob("*.py")]
    files += [root / "gradnotes" / "exercises" / f"{name}.py" for name in ("__init__", "judging", "page")]
    files += [path for path in (root / "gradnotes" / "stand_in").rglob("*.*") if path.suffix in (".py", ".gz")]
    harness = root / "harness" / "src"
    files += [harness / "snippetcheck" / f"{name}.py" for name in HARNESS]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            base = harness if path.is_relative_to(harness) else root
            entry = zipfile.ZipInfo(path.relative_to(base).as_posix(), _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(description="Fetch what Run in the page needs.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--numpy", type=Path, help="the NumPy wheel, if it is at hand")
    options = parser.parse_args()
    try:
        wheel = fetch(options.folder, options.numpy)
    except RuntimeMissing as error:
        print(f"runtime: {error}", file=sys.stderr)
        return 1
    print(f"Pyodide {VERSION} and {wheel.name} are in {options.folder}; the next build takes them along")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
