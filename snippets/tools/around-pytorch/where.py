"""The folder of a package, on this system and on Windows."""
# covers: structure.site-packages
# engines: torch -- it is the place of torch's own files

import sys
import sysconfig
from pathlib import Path

import torch

folder = Path(torch.__file__).parent
print(folder.relative_to(sys.prefix).parts[0], folder.parent.name, folder.name)
#> lib site-packages torch
print(folder.parent == Path(sysconfig.get_path("purelib")))
#> True

windows = sysconfig.get_path("purelib", "nt", {"base": r"C:\envs\book"})
print(windows.replace("/", "\\"))
#> C:\envs\book\Lib\site-packages
