"""The compiled libraries, largest first."""
# covers: structure.lib
# engines: torch -- the subject is torch's own files

from pathlib import Path

import torch

folder = Path(torch.__file__).parent / "lib"
megabytes = {file.name: file.stat().st_size / 1e6 for file in folder.iterdir() if ".so" in file.suffixes}
names = sorted(megabytes, key=megabytes.get, reverse=True)
for name in names:
    if name in ("libtorch_cpu.so", "libtorch_python.so", "libc10.so"):  # every build has these
        print(f"{name:18} about {float(f'{megabytes[name]:.1g}'):3.0f} MB")
#> libtorch_cpu.so    about 400 MB
#> libtorch_python.so about  30 MB
#> libc10.so          about   2 MB

print(names[0] == ("libtorch_cuda.so" if torch.backends.cuda.is_built() else "libtorch_cpu.so"))
#> True
