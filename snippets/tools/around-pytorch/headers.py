"""The package contains the C++ headers, under `include`."""
# covers: structure.include
# engines: torch -- the subject is torch's own files

from collections import Counter
from pathlib import Path

import torch

folder = Path(torch.__file__).parent
kinds = Counter(file.suffix for file in folder.rglob("*") if file.suffix in (".h", ".hpp", ".cuh", ".cpp", ".cu"))
for suffix, count in kinds.most_common():
    print(f"{suffix:5} {float(f'{count:.1g}'):5.0f}")  # one digit: a build with CUDA has a few more
#> .h     9000
#> .hpp     80
#> .cuh     60
#> .cpp      4
print((folder / "include/torch/csrc/autograd/engine.h").exists())
#> True
print([file.name for file in (folder / "csrc").rglob("*") if file.is_file()])
#> ['model.h']
