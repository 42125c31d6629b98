"""Most functions of NumPy have the same name in PyTorch."""

import numpy as np
import torch

a, t = np.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(2, 3)
for name in ("sum", "mean", "cumsum", "argmax", "sqrt", "exp", "ravel", "squeeze", "where", "concatenate"):
    print(f"{name:12}", hasattr(np, name), hasattr(torch, name))
#> sum          True True
#> mean         True True
#> cumsum       True True
#> argmax       True True
#> sqrt         True True
#> exp          True True
#> ravel        True True
#> squeeze      True True
#> where        True True
#> concatenate  True True
print(a.sum(axis=0), t.sum(dim=0))
#> [3. 5. 7.] tensor([3., 5., 7.])
print(a.sum(axis=0, keepdims=True).shape, t.sum(dim=0, keepdim=True).shape)
#> (1, 3) torch.Size([1, 3])
