"""`zeros_like` accepts an integer template, but `rand_like` and `randn_like` refuse it."""

import torch

template = torch.tensor([1, 2])
print(torch.zeros_like(template))
#> tensor([0, 0])
for draw in torch.rand_like, torch.randn_like:
    try:
        draw(template)
    except NotImplementedError as error:
        print(error)
#> "check_uniform_bounds" not implemented for 'Long'
#> "normal_kernel_cpu" not implemented for 'Long'

torch.manual_seed(0)
print(torch.rand_like(template, dtype=torch.float32))
#> tensor([0.4963, 0.7682])
