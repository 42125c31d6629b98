"""An import writes byte code, and Python renews it when the source changes its time or size."""
# covers: structure.pycache

import importlib
import os
import sys
from importlib.util import cache_from_source
from pathlib import Path


# region: name
print(Path(cache_from_source("folder/answer.py", optimization="")).parent.name)
#> __pycache__
print(cache_from_source("answer.py", optimization="").endswith(".pyc"))
#> True
print(cache_from_source("answer.py", optimization=1).endswith(".opt-1.pyc"))
#> True
# endregion
# region: anew
sys.dont_write_bytecode = False
sys.pycache_prefix = None
sys.path.insert(0, os.getcwd())
Path("answer.py").write_text("value = 41")
os.utime("answer.py", (1000, 1000))
import answer

print(os.listdir("__pycache__") == [Path(cache_from_source("answer.py")).name])
#> True

Path("answer.py").write_text("value = 42")
os.utime("answer.py", (2000, 2000))
print(importlib.reload(answer).value)
#> 42

Path("answer.py").write_text("value = 43")
os.utime("answer.py", (2000, 2000))
print(importlib.reload(answer).value)
#> 42
# endregion
