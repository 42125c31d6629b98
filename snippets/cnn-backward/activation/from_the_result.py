"""The derivative is taken at the value before the activation, but many nodes save the result instead."""

import torch

z = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
for f in (torch.relu, torch.sigmoid, torch.tanh, torch.sin, torch.nn.functional.softplus):
    node = f(z).grad_fn
    print(type(node).__name__, [name for name in dir(node) if name in ("_saved_self", "_saved_result")])
#> ReluBackward0 ['_saved_result']
#> SigmoidBackward0 ['_saved_result']
#> TanhBackward0 ['_saved_result']
#> SinBackward0 ['_saved_self']
#> SoftplusBackward0 ['_saved_self']
