"""A tensor is a leaf exactly when its `grad_fn` is `None`."""
# covers: autograd.leaf.grad-fn-none tensor-props.grad-fn tensor-props.is-leaf

import torch

w = torch.ones(3, requires_grad=True)
tensors = {
    "created": w,
    "created, no grad": torch.ones(3),
    "computed": w * 2,
    "computed, no grad": torch.ones(3) * 2,
    "a view": w[:2],
    "detached": (w * 2).detach(),
    "a parameter": torch.nn.Parameter(w * 2),
}
for name, tensor in tensors.items():
    print(f"{name:18}", tensor.is_leaf, tensor.grad_fn is None)
#> created            True True
#> created, no grad   True True
#> computed           False False
#> computed, no grad  True True
#> a view             False False
#> detached           True True
#> a parameter        True True
