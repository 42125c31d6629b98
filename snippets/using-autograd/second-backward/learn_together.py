"""To learn from all steps together, add up their losses and call `backward` once after the loop."""
# covers: autograd.backward.read-message

import torch

w = torch.tensor([0.5], requires_grad=True)
state, total = torch.tensor([1.0]), 0

for _ in range(3):
    state = torch.tanh(w * state)
    total = total + state.sum()
total.backward()
print(w.grad)
#> tensor([2.2223])
