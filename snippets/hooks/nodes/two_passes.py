"""A hook on a node is called in one step only, and a hook on a parameter in every step."""
# covers: hooks.operator-hook-example, hooks.operator-order-accumulate

import torch


def operator_hook(grad_inputs, grad_outputs):
    print("  operator hook", grad_outputs)


def parameter_hook(grad):
    print("  parameter hook", grad)


w = torch.tensor([2.0], requires_grad=True)
w.register_hook(parameter_hook)

for turn in ["first", "second"]:
    print(turn)
    y = w + 1
    print("  node", y.grad_fn.name())
    if turn == "first":
        y.grad_fn.register_hook(operator_hook)
    y.backward()
#> first
#>   node AddBackward0
#>   operator hook (tensor([1.]),)
#>   parameter hook tensor([1.])
#> second
#>   node AddBackward0
#>   parameter hook tensor([1.])
