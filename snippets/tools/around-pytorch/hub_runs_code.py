"""Loading a model from the Hub runs `hubconf.py`."""
# engines: torch -- the engine has no hub

from pathlib import Path

import torch

Path("hubconf.py").write_text('print("this ran")\n\ndef tiny():\n    return 1\n')
print(torch.hub.load(".", "tiny", source="local"))
#> this ran
#> 1
