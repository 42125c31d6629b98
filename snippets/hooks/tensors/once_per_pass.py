"""A hook runs once per pass, with the sum of all gradients that arrive."""
# covers: hooks.register-hook.semantics

import torch

x = torch.tensor([1.0], requires_grad=True)
hidden = x * 1
hidden.register_hook(lambda grad: print("hidden:", grad))

(hidden * 2 + hidden * 3).backward()
#> hidden: tensor([5.])
