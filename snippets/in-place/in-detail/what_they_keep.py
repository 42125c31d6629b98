"""Fourteen of the 29 operations copy their input before they overwrite it."""
# covers: inplace.why-not-supported

import torch

names = (
    "abs acos asin atan ceil cos cosh erf exp expm1 floor log log10 log1p log2 neg "
    "reciprocal relu round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc"
).split()
groups = {"a copy of its input": [], "its result": [], "nothing": []}

for name in names:
    h = torch.tensor([0.2, 0.5, 0.7], requires_grad=True) * 1
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(saved.append, lambda tensor: tensor):
        getattr(h, name + "_")()
    if not saved:
        groups["nothing"].append(name)
    elif saved[0].data_ptr() == h.data_ptr():
        groups["its result"].append(name)
    else:
        groups["a copy of its input"].append(name)

counts = {kept: len(members) for kept, members in groups.items()}
for kept, members in groups.items():
    print(counts[kept], "keep", kept, "such as", members[0], members[1])
#> 14 keep a copy of its input such as abs acos
#> 9 keep its result such as exp expm1
#> 6 keep nothing such as ceil floor
