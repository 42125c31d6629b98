"""The attributes that begin with `is_` say where a tensor is and how it is stored, except for `is_leaf`."""
# covers: debug.tensor-inspector

import torch

a = torch.tensor(2.0, requires_grad=True)
Q = 3 * a**3
for name in ("is_leaf", "is_cpu", "is_cuda", "is_meta", "is_sparse", "is_quantized", "is_nested"):
    print(f"{name:13}", getattr(Q, name))
#> is_leaf       False
#> is_cpu        True
#> is_cuda       False
#> is_meta       False
#> is_sparse     False
#> is_quantized  False
#> is_nested     False
