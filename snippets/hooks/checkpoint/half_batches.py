"""A hook clips the gradient in one pass over a batch, and in two passes over its halves."""
# covers: hooks.register-hook.semantics

import torch

w = torch.tensor([1.0], requires_grad=True)
w.register_hook(lambda grad: grad.clamp(-1, 1))
first_half, second_half = 3.0, -0.5

# The whole batch in one pass.
(w * first_half + w * second_half).backward()
print(w.grad.item())
#> 1.0

# The same batch in two passes, because the whole batch no longer fits into the memory.
w.grad = None
(w * first_half).backward()
(w * second_half).backward()
print(w.grad.item())
#> 0.5
