"""Size, filling and reshaping are methods of the class."""
# covers: tensor-props.class-parts

import torch

image = torch.empty(3, 2, 2)
print(image.size(), image.size(0))
#> torch.Size([3, 2, 2]) 3
image.fill_(0.5)
print(image.reshape(3, 4))
#> tensor([[0.5000, 0.5000, 0.5000, 0.5000],
#>         [0.5000, 0.5000, 0.5000, 0.5000],
#>         [0.5000, 0.5000, 0.5000, 0.5000]])
