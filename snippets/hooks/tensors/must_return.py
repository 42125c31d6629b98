"""A hook must return `None` or a tensor of the same shape and dtype."""
# covers: hooks.tensor-register-hook

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


def number(grad):
    return 3


def longer(grad):
    return torch.ones(5)


def double(grad):
    return grad.double()


for hook in (number, longer, double):
    try:
        with x.register_hook(hook):
            x.sum().backward()
    except (TypeError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}")
#> TypeError: expected Variable, but hook returned 'int'
#> RuntimeError: hook 'longer' has changed the size of value
#> RuntimeError: hook 'double' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)

torch.ones(2).register_hook(number)
#! RuntimeError: cannot register a hook on a tensor that doesn't require gradient
