"""A copy of a virtual environment still uses the original."""
# engines: torch -- it is about Python itself, and needs files that a page does not have

import os
import shutil
import subprocess
import venv
from pathlib import Path

venv.create("first", with_pip=False, symlinks=True)
shutil.copytree("first", "second", symlinks=True)

script = Path("second/bin/activate").read_text()
print(os.path.abspath("first") in script, os.path.abspath("second") in script)
#> True False

# Activate the copy, and ask which Python runs.
python = subprocess.check_output(["sh", "-c", ". second/bin/activate; command -v python"], text=True).strip()
print(os.path.relpath(python))
#> first/bin/python
