"""If the state is detached from the step before, nothing needs to be retained."""
# covers: autograd.backward.read-message

import torch

w = torch.tensor([0.5], requires_grad=True)
state = torch.tensor([1.0])

for step in range(3):
    state = torch.tanh(w * state.detach())
    state.sum().backward()
    print(step, w.grad)
#> 0 tensor([0.7864])
#> 1 tensor([1.2247])
#> 2 tensor([1.4489])
