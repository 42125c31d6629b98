"""The second `backward` through the same graph fails, because its saved tensors are freed."""
# covers: autograd.backward.second-time-error

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
y = (x + w) * (w + 1)

y.backward()
print(w.grad)
#> tensor([5.])

try:
    y.backward()
except RuntimeError as error:
    print(error)
#> Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.

print(w.grad)
#> tensor([5.])
