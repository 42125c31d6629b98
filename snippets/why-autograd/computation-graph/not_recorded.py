"""Nothing is recorded when no operand requires a gradient."""
# covers: graph.forward-builds-backward tensor-props.grad-fn

import torch

x = torch.tensor(2.0)
y = x.exp()
print(y)
#> tensor(7.3891)
print(y.grad_fn)
#> None
y.backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
