"""The result of a node's hook replaces the gradients that arrive, or those that are sent on."""

import torch


def ten_times(grad_outputs):
    return (grad_outputs[0] * 10,)


def first_ten_times(grad_inputs, grad_outputs):
    return grad_inputs[0] * 10, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)

y = x * w
y.grad_fn.register_prehook(ten_times)
y.sum().backward()
print(x.grad, w.grad)
#> tensor([30., 40.]) tensor([10., 20.])

x.grad = w.grad = None
y = x * w
y.grad_fn.register_hook(first_ten_times)
y.sum().backward()
print(x.grad, w.grad)
#> tensor([30., 40.]) None
