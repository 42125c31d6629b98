"""`only_inputs` is accepted, ignored, and warned about."""
# covers: autograd.grad.signature

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)

print(torch.autograd.grad(x * w, x, only_inputs=False))
#> (tensor([1.]),)
#~ FutureWarning: only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the graph, please use torch.autograd.backward.

# Nothing was accumulated for the rest of the graph, as the name would suggest.
print(w.grad)
#> None
