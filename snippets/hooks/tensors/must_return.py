"""What a hook may return: `None`, or a tensor of the same shape and dtype."""
# covers: hooks.tensor-register-hook

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


def number(grad):
    return 3


def longer(grad):
    return torch.ones(5)


def double(grad):
    return grad.double()


with x.register_hook(number):
    x.sum().backward()
#! TypeError: expected Variable, but hook returned 'int'

with x.register_hook(longer):
    x.sum().backward()
#! RuntimeError: hook 'longer' has changed the size of value

with x.register_hook(double):
    x.sum().backward()
#! RuntimeError: hook 'double' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)

torch.ones(2).register_hook(number)
#! RuntimeError: cannot register a hook on a tensor that doesn't require gradient
