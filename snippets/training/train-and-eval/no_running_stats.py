"""Without running averages, batch norm also uses the batch in evaluation mode."""
# covers: tricks.model-eval

import torch
from torch import nn

x = torch.tensor([[3.0], [5.0]])
norm = nn.BatchNorm1d(1, track_running_stats=False).eval()
print(norm(x))
#> tensor([[-1.0000],
#>         [ 1.0000]], grad_fn=<NativeBatchNormBackward0>)
print(norm.running_mean)
#> None

instance = nn.InstanceNorm1d(1).eval()
layer = nn.LayerNorm(2).eval()
print(instance(x.view(1, 1, 2)), layer(x.view(1, 2)))
#> tensor([[[-1.0000,  1.0000]]]) tensor([[-1.0000,  1.0000]], grad_fn=<NativeLayerNormBackward0>)
