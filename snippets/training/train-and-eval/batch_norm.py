"""In evaluation mode, batch norm still normalizes, with its running averages."""
# covers: tricks.model-eval tricks.model-train

import torch
from torch import nn

torch.manual_seed(0)
norm = nn.BatchNorm1d(1)
for _ in range(100):
    norm(3 + 2 * torch.randn(64, 1))
print(norm.running_mean, norm.running_var)
#> tensor([2.9590]) tensor([4.1823])

x = torch.tensor([[3.0], [5.0]])
print(norm(x))
#> tensor([[-1.0000],
#>         [ 1.0000]], grad_fn=<NativeBatchNormBackward0>)

norm.eval()
print(norm(x))
#> tensor([[-0.0317],
#>         [ 0.9728]], grad_fn=<NativeBatchNormBackward0>)
mean, var = norm.running_mean, norm.running_var
print(((x - mean) / (var + norm.eps).sqrt() * norm.weight + norm.bias).allclose(norm(x)))
#> True
