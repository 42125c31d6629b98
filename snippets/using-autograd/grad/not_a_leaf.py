"""A tensor that isn't a leaf may be listed as well, and then it keeps its gradient."""
# covers: autograd.backward.inputs-arg

import torch

x = torch.tensor([2.0], requires_grad=True)
hidden = x**2
y = hidden * 5

y.backward(inputs=[hidden])
print(hidden.is_leaf, hidden.grad)
#> False tensor([5.])
print(x.grad)
#> None
