"""For several results, `grad` returns one gradient per input, summed over the results."""
# covers: autograd.grad.signature

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
total = (x**2).sum()
outputs = x * 3

print(torch.autograd.grad([total, outputs], x, grad_outputs=[None, torch.tensor([10.0, 100.0])]))
#> (tensor([ 32., 304.]),)
