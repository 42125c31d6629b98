"""The state of an optimizer uses positions, so in another order a parameter gets the wrong state."""
# covers: save.load

import torch

a = torch.tensor([0.0], requires_grad=True)
b = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.SGD([a, b], lr=0.1, momentum=0.9)
(1 * a + 100 * b).sum().backward()
optimizer.step()

swapped = torch.optim.SGD([b, a], lr=0.1, momentum=0.9)
swapped.load_state_dict(optimizer.state_dict())
print(optimizer.state[a]["momentum_buffer"], swapped.state[a]["momentum_buffer"])
#> tensor([1.]) tensor([100.])
