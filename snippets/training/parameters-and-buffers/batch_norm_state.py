"""Parameters are trained; buffers are saved and moved with them."""
# covers: module.state-params-buffers

import torch
from torch import nn

norm = nn.BatchNorm1d(2)
print([name for name, _ in norm.named_parameters()])
#> ['weight', 'bias']
print([name for name, _ in norm.named_buffers()])
#> ['running_mean', 'running_var', 'num_batches_tracked']
print([buffer.requires_grad for buffer in norm.buffers()])
#> [False, False, False]
print([str(buffer.dtype) for buffer in norm.double().buffers()])
#> ['torch.float64', 'torch.float64', 'torch.int64']


class Mask(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.ones(2))
        self.register_buffer("scratch", torch.ones(2), persistent=False)


mask = Mask()
print(list(mask._buffers), mask._non_persistent_buffers_set)
#> ['kept', 'scratch'] {'scratch'}
print(list(mask.state_dict()))
#> ['kept']
