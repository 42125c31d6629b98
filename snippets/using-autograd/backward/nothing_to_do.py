"""Without a graph, `backward` raises an error, because nothing required grad or nothing was recorded."""

import torch

unmarked = torch.ones(3).sum()

w = torch.ones(3, requires_grad=True)
with torch.no_grad():
    unrecorded = w.sum()

for result in (unmarked, unrecorded):
    try:
        result.backward()
    except RuntimeError as error:
        print(error)
#> element 0 of tensors does not require grad and does not have a grad_fn
#> element 0 of tensors does not require grad and does not have a grad_fn
