"""The same computation today has the same numbers and the same graph, with other names."""
# covers: engine-v01.sub-mul-div engine-v01.forward-sub

import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
y = (a * b - a) / b
y.backward()
print(y.item(), a.grad.item(), b.grad.item())
#> 2.25 0.75 0.1875
print(type(y.grad_fn).__name__, [type(f).__name__ for f, _ in y.grad_fn.next_functions])
#> DivBackward0 ['SubBackward0', 'AccumulateGrad']
