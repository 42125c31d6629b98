"""A seed fixes a stream of numbers, and one more draw shifts all that follow."""
# covers: rng.concept

import torch

torch.manual_seed(7)
print(torch.rand(2), torch.rand(2))
#> tensor([0.5349, 0.1988]) tensor([0.6592, 0.6569])

torch.manual_seed(7)
_ = torch.rand(1)
print(torch.rand(2), torch.rand(2))
#> tensor([0.1988, 0.6592]) tensor([0.6569, 0.2328])
