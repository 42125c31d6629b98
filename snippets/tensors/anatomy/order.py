"""Two tensors of the same shape can be stored in different orders."""
# covers: tensor-props.class-parts

import torch

channels_first = torch.zeros(3, 224, 224)
channels_last = torch.zeros(224, 224, 3).permute(2, 0, 1)
print(channels_first.shape, channels_first.stride())
#> torch.Size([3, 224, 224]) (50176, 224, 1)
print(channels_last.shape, channels_last.stride())
#> torch.Size([3, 224, 224]) (1, 672, 3)
