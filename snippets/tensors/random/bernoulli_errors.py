"""A probability is a float between 0 and 1."""

import torch

for p in [0, 1], [0.5, 1.5]:
    try:
        torch.bernoulli(torch.tensor(p))
    except RuntimeError as error:
        print(type(error).__name__, error)
#> NotImplementedError "bernoulli_tensor_cpu_p_" not implemented for 'Long'
#>? RuntimeError Expected p_in >= 0 && p_in <= 1 to be true, but got false. ...
