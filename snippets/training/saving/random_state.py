"""To continue exactly, save the state of the random number generator as well."""
# covers: save.checkpoint

import io

import torch
from torch import nn

torch.manual_seed(0)
dropout = nn.Dropout(0.5)
x = torch.ones(6)
out = dropout(x)

file = io.BytesIO()
torch.save({"random": torch.get_rng_state()}, file)
went_on = dropout(x)

print(dropout(x).equal(went_on))
#> False
file.seek(0)
torch.set_rng_state(torch.load(file)["random"])
print(dropout(x).equal(went_on))
#> True
