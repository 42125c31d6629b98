"""A copy of a virtual environment still leads to the first one."""
# engines: torch -- it is about Python itself, and needs files that a page does not have

import shutil
import venv
from pathlib import Path

venv.create("first", with_pip=False, symlinks=True)
shutil.copytree("first", "second", symlinks=True)

script = Path("second/bin/activate").read_text()
line = next(line for line in script.splitlines() if "VIRTUAL_ENV=" in line and "first" in line)
print(line.strip().startswith(("VIRTUAL_ENV=", "export VIRTUAL_ENV=")))
#> True
print("second" in script)
#> False
