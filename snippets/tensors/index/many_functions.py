"""Count the functions and classes of the module `torch`."""
# covers: tensor-create.intro
# engines: torch -- it counts the names in torch itself

import torch

public = [name for name in dir(torch) if not name.startswith("_")]
print(sum(callable(getattr(torch, name)) for name in public))
#> 872
