"""One weight is used for two pictures."""
# covers: graph.example.hand-derivation

import torch

w = torch.tensor(2.0, requires_grad=True)
left, right = torch.tensor(3.0), torch.tensor(1.0)

together = w * left + w * right
loss = together**2
loss.backward()

print(together)
#> tensor(8., grad_fn=<AddBackward0>)
print(w.grad)
#> tensor(64.)
