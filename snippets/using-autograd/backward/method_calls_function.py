"""`Tensor.backward` passes its arguments on to `torch.autograd.backward`."""
# covers: autograd.backward.tensor-method-wraps

import torch

original = torch.autograd.backward


def spy(*args, **kwargs):
    print(len(args), "positional:", args[1:], "keywords:", kwargs)
    return original(*args, **kwargs)


x = torch.tensor([2.0], requires_grad=True)

torch.autograd.backward = spy
(x**3).backward(retain_graph=True)
#> 4 positional: (None, True, False) keywords: {'inputs': None}
torch.autograd.backward = original

print(x.grad)
#> tensor([12.])
