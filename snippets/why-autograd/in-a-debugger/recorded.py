"""The node exists as soon as the forward line has run."""
# covers: graph.exp-gradfn graph.forward-builds-backward tensor-props.grad-fn

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x.exp()
print(y)
#> tensor(7.3891, grad_fn=<ExpBackward0>)
print(type(y.grad_fn).__name__)
#> ExpBackward0
print(x.grad)
#> None

y.backward()
print(x.grad)
#> tensor(7.3891)
