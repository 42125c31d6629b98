"""The same rule holds for a change of device."""
# covers: tensor-props.is-leaf
# engines: torch -- the meta device belongs to torch's own dispatcher

import torch

w = torch.ones(2, requires_grad=True)
moved = w.to("meta")  # every torch has this device, with or without a GPU
print(moved.is_leaf, type(moved.grad_fn).__name__)
#> False ToCopyBackward0
print(w.to("cpu") is w)
#> True
print(torch.ones(2).to("meta").is_leaf)
#> True
