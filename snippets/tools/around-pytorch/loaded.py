"""A Python process that imports torch has loaded the C++ libraries."""
# engines: torch -- the subject is torch's compiled part

from pathlib import Path

import torch

maps = Path("/proc/self/maps").read_text().splitlines()
files = {line.split("/")[-1] for line in maps if "/torch/lib/" in line}
print(sorted(name for name in files if name in ("libtorch_cpu.so", "libtorch_python.so", "libc10.so")))
#> ['libc10.so', 'libtorch_cpu.so', 'libtorch_python.so']
