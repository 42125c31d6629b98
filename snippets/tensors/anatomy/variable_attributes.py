"""The five attributes of `Variable` are attributes of every Tensor today."""
# covers: tensor-props.variable-5-attrs

import torch

v = torch.tensor([3.0, 4.0], requires_grad=True)
y = (v * v).sum()
y.backward()
print(v.data)
#> tensor([3., 4.])
print(v.grad, v.grad.shape == v.data.shape)
#> tensor([6., 8.]) True
print(v.grad_fn, y.grad_fn.name())
#> None SumBackward0
print(v.requires_grad, v.is_leaf)
#> True True
