"""The notes list the frequent functions; the module has hundreds more."""
# covers: tensor-create.intro
# engines: torch -- it counts the names in torch itself

import torch

names = [name for name in dir(torch) if not name.startswith("_") and callable(getattr(torch, name))]
print(len(names))
#> 872
