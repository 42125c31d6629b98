"""Run the tests of the engine, the snippets and the exercises as if on other processors.

    python -m tests.processors                          # all processors in turn (`make processors`)
    python -m tests.processors zen3 nehalem             # these processors
    python -m tests.processors zen3 -- tests/engine/test_optim.py       # other tests, or options of pytest
    python -m tests.processors --list                   # names of processors as JSON, for the matrix of the nightly job

NumPy, OpenBLAS, torch, oneDNN and MKL choose their loops for the processor when they are loaded. Environment variables make them
choose the loops for older processors. A variable without effect is reported as a failure, since libraries ignore values that they do
not know. The C library, the number of cores and newer processors cannot be emulated.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("tests/engine", "snippets", "exercises")

# Features that NumPy must not use, so that it uses AVX2. NumPy 2.4 knows only groups of features such as "X86_V4", not "AVX512F".
_NUMPY_AVX2 = "X86_V4 AVX512_ICL AVX512_SPR"
_NUMPY_SSE4 = f"X86_V3 {_NUMPY_AVX2}"

PROCESSORS: dict[str, dict[str, str]] = {
    # settings of one library
    "torch-default": {"ATEN_CPU_CAPABILITY": "default"},
    "torch-avx2": {"ATEN_CPU_CAPABILITY": "avx2"},
    "openblas-nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "openblas-sandybridge": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "openblas-haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "numpy-avx2": {"NPY_DISABLE_CPU_FEATURES": _NUMPY_AVX2},
    "numpy-sse4": {"NPY_DISABLE_CPU_FEATURES": _NUMPY_SSE4},
    "onednn-sse4": {"DNNL_MAX_CPU_ISA": "SSE41"},
    "mkl-compatible": {"MKL_CBWR": "COMPATIBLE"},
    # settings of all libraries
    "zen3": {  # AVX2 and FMA without AVX-512: AMD EPYC 7003, which hosted runners often have
        "ATEN_CPU_CAPABILITY": "avx2",
        "OPENBLAS_CORETYPE": "Haswell",  # the kernels that this OpenBLAS uses on such processors
        "NPY_DISABLE_CPU_FEATURES": _NUMPY_AVX2,
        "DNNL_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    },
    "sandybridge": {  # AVX without FMA
        "ATEN_CPU_CAPABILITY": "default",
        "OPENBLAS_CORETYPE": "Sandybridge",
        "NPY_DISABLE_CPU_FEATURES": _NUMPY_SSE4,
        "DNNL_MAX_CPU_ISA": "AVX",
        "MKL_ENABLE_INSTRUCTIONS": "AVX",
    },
    "nehalem": {  # SSE4
        "ATEN_CPU_CAPABILITY": "default",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": _NUMPY_SSE4,
        "DNNL_MAX_CPU_ISA": "SSE41",
        "MKL_CBWR": "COMPATIBLE",
    },
}
VARIABLES = tuple(sorted({name for setting in PROCESSORS.values() for name in setting}))

# A program whose output shows which loops the libraries have chosen. oneDNN and MKL print theirs at their first use.
_PROBE = """
import ctypes
import numpy, torch
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from reference_impl.numerics.openblas import _library
print("torch:", torch.backends.cpu.get_cpu_capability(), flush=True)
print("numpy:", *(name for name in __cpu_dispatch__ if __cpu_features__[name]), flush=True)
core = getattr(_library(), "scipy_openblas_get_corename64_", None)
if core is not None:
    core.restype = ctypes.c_char_p
print("openblas:", core and core().decode(), flush=True)
torch.ones(2, 2).to_mkldnn()
torch.ones(64, 64) @ torch.ones(64, 64)
"""

# For each variable: a function that takes its value and the output of _PROBE, and returns whether the value had an effect.
_EFFECTS: dict[str, Callable[[str, str], bool]] = {
    "ATEN_CPU_CAPABILITY": lambda value, output: f"torch: {value.upper()}\n" in output,
    "OPENBLAS_CORETYPE": lambda value, output: f"openblas: {value}\n" in output,
    "NPY_DISABLE_CPU_FEATURES": lambda value, output: (
        not (set(value.split()) & set(re.findall(r"^numpy:(.*)", output, re.MULTILINE)[0].split()))
    ),
    "DNNL_MAX_CPU_ISA": lambda value, output: (
        re.search(r"cpu,isa:Intel (.*)", output) is not None
        and re.findall(r"cpu,isa:Intel (.*)", output)[0].replace(".", "").strip() == value
    ),
    "MKL_CBWR": lambda value, output: f"CNR:{value} " in output,
    "MKL_ENABLE_INSTRUCTIONS": lambda value, output: "MKL_VERBOSE" in output and "AVX-512" not in output,
}


def ineffective_variables(setting: Mapping[str, str]) -> list[str]:
    """Return the variables of `setting` that have no effect on this machine, as `NAME=value`."""
    environment = {**os.environ, **setting, "ONEDNN_VERBOSE": "1", "MKL_VERBOSE": "1", "PYTHONPATH": str(ROOT)}
    probe = subprocess.run(
        [sys.executable, "-c", _PROBE], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [f"{name}={value}" for name, value in setting.items() if not _EFFECTS[name](value, probe.stdout)]


def run(name: str, workers: int, arguments: list[str]) -> int:
    """Run pytest as if on the processor `name`. Return its exit status, or 2 if this machine cannot emulate the processor."""
    ineffective = ineffective_variables(PROCESSORS[name])
    if ineffective:
        print(
            f"{name}: no effect on this machine: {', '.join(ineffective)}\n    choose another processor, or correct its setting in tests/processors.py"
        )
        return 2
    print(f"--- {name}: {' '.join(f'{k}={v!r}' for k, v in PROCESSORS[name].items())}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-rf", "-n", str(workers), "--dist", "worksteal"]
    return subprocess.run(
        [*command, *(arguments or TESTS)], env={**os.environ, **PROCESSORS[name]}, cwd=ROOT
    ).returncode


def main(arguments: list[str]) -> int:
    """Run the tests as if on each requested processor, by default on all. Return 0 if they passed on each, else 1."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    own_arguments, pytest_arguments = arguments[:split], arguments[split + 1 :]
    parser = argparse.ArgumentParser(prog="python -m tests.processors", description=__doc__.splitlines()[0])
    parser.add_argument("processors", nargs="*", metavar="PROCESSOR", help=f"one of {', '.join(PROCESSORS)}")
    parser.add_argument("--list", action="store_true", help="print the names of processors as JSON")
    parser.add_argument("--workers", type=int, default=1, help="number of workers of pytest-xdist")
    options = parser.parse_args(own_arguments)
    unknown = [name for name in options.processors if name not in PROCESSORS]
    if unknown:
        parser.error(f"unknown processor {unknown[0]!r}: must be one of {', '.join(PROCESSORS)}")
    if options.list:
        print(json.dumps(list(PROCESSORS)))
        return 0
    results = {}
    for name in options.processors or PROCESSORS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status = run(name, options.workers, pytest_arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        results[name] = status
        print(f"--- {name}: {'passed' if status == 0 else 'FAILED'} in {seconds / 60:.1f} CPU minutes", flush=True)
    red = [name for name, status in results.items() if status]
    print(
        f"{len(results) - len(red)} of {len(results)} processors passed" + (f"; red: {', '.join(red)}" if red else "")
    )
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
