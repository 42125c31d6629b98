"""Each layer saves tensors for the backward pass, unless an earlier layer has saved them."""
# covers: memory.test-no-grad

import torch
from torch import nn

model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 128), nn.Sigmoid(), nn.Linear(128, 10))
weights = {p.data_ptr() for p in model.parameters()}
seen = set()
kept = {}


def pack(tensor):
    if tensor.data_ptr() not in weights:
        part = "kept already" if tensor.data_ptr() in seen else "new"
        seen.add(tensor.data_ptr())
        kept[name][part] = kept[name].get(part, 0) + tensor.numel() * tensor.element_size()
    return tensor


x = torch.ones(100, 64)  # a hundred pictures
results = []  # so that no address is given out twice
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    for number, layer in enumerate(model):
        name = f"{number} {type(layer).__name__}"
        kept[name] = {}
        x = layer(x)
        results.append(x)
for name in kept:
    print(name, kept[name])
#> 0 Linear {'new': 25600}
#> 1 ReLU {'new': 102400}
#> 2 Linear {'kept already': 102400}
#> 3 Sigmoid {'new': 51200}
#> 4 Linear {'kept already': 51200}
