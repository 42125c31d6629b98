"""If a hook on an inner tensor replaces the gradient, the backward pass continues with the replacement."""
# covers: hooks.register-hook.semantics

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
hidden = x * 3
hidden.retain_grad()
hidden.register_hook(lambda grad: grad.clamp(max=1.0))

(hidden * torch.tensor([0.5, 100.0])).sum().backward()
print(hidden.grad)
#> tensor([0.5000, 1.0000])
print(x.grad)
#> tensor([1.5000, 3.0000])
