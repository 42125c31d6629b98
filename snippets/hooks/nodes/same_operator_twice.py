"""If the graph is retained, the hook of a node runs again in the second pass."""
# covers: hooks.operator-order-accumulate

import torch


def operator_hook(grad_inputs, grad_outputs):
    print("operator hook", grad_inputs)


w = torch.tensor([2.0], requires_grad=True)
y = w**2
y.grad_fn.register_hook(operator_hook)

y.backward(retain_graph=True)
#> operator hook (tensor([4.]),)
y.backward()
#> operator hook (tensor([4.]),)
