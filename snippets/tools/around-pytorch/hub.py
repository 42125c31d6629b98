"""`torch.hub` loads a model from a folder or from a repository."""
# covers: ecosystem.hub
# engines: torch -- the engine has no hub

from pathlib import Path

import torch

Path("hubconf.py").write_text('''
from torch import nn


def tiny(width=2):
    """A linear layer, as an example."""
    return nn.Linear(width, 1)
''')

print(torch.hub.load(".", "tiny", source="local", width=3))
#> Linear(in_features=3, out_features=1, bias=True)
