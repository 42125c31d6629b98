"""A node has two kinds of hooks, one before it computes its gradients and one after."""
# covers: hooks.operator-order-accumulate

import torch


def before(grad_outputs):
    print("arrives:", grad_outputs)


def after(grad_inputs, grad_outputs):
    print("leaves: ", grad_inputs)


x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = x * w
y.grad_fn.register_prehook(before)
y.grad_fn.register_hook(after)

y.sum().backward()
#> arrives: (tensor([1., 1.]),)
#> leaves:  (tensor([3., 4.]), tensor([1., 2.]))
