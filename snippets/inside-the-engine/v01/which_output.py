"""If an operation has several results, an edge also says to which of them it belongs."""
# covers: engine-v01.function-class

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
first, second, third = x.unbind()
print(first.grad_fn is third.grad_fn, first.output_nr, third.output_nr)
#> True 0 2

y = third * 10
node, number = y.grad_fn.next_functions[0]
print(type(node).__name__, number)
#> UnbindBackward0 2

y.backward()
print(x.grad)
#> tensor([ 0.,  0., 10.])
