"""The compiled libraries, largest first."""
# covers: structure.lib
# engines: torch -- the subject is torch's own files

from pathlib import Path

import torch

folder = Path(torch.__file__).parent / "lib"
libraries = sorted((file.stat().st_size, file.name) for file in folder.iterdir() if ".so" in file.suffixes)
for size, name in reversed(libraries[-4:]):
    print(f"{name:22} {size / 1e6:6.1f} MB")
#> libtorch_cpu.so         434.2 MB
#> libtorch_python.so       30.5 MB
#> libc10.so                 1.5 MB
#> libtorchbind_test.so      0.9 MB

# region: cuda
print([name for _, name in libraries if "cuda" in name or "cudnn" in name])
#> []
print(torch.version.cuda, torch.backends.cudnn.is_available())
#> None False
# endregion
