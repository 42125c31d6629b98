"""One training step has a forward pass and a backward pass."""
# covers: theory.two-phases

import torch

x, target = torch.tensor(2.0), torch.tensor(10.0)
w = torch.tensor(3.0, requires_grad=True)

# Forward: from the input to one number that says how wrong the model is.
prediction = w * x
loss = (prediction - target) ** 2
print(loss)
#> tensor(16., grad_fn=<PowBackward0>)

# Backward: from that number back to the parameter.
loss.backward()
print(w.grad)
#> tensor(-16.)

# Use the gradient: a small step against it.
with torch.no_grad():
    w -= 0.1 * w.grad
print(w)
#> tensor(4.6000, requires_grad=True)
print((w * x - target) ** 2)
#> tensor(0.6400, grad_fn=<PowBackward0>)
