"""`ZeroPad2d` adds a border of zeros on the left, right, top and bottom."""
# covers: cnn.zeropad2d

import torch

image = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
print(torch.nn.ZeroPad2d(1)(image))
#> tensor([[[[0., 0., 0., 0.],
#>           [0., 1., 2., 0.],
#>           [0., 3., 4., 0.],
#>           [0., 0., 0., 0.]]]])
print(torch.nn.ZeroPad2d((2, 0, 1, 0))(image))
#> tensor([[[[0., 0., 0., 0.],
#>           [0., 0., 1., 2.],
#>           [0., 0., 3., 4.]]]])
print(torch.equal(torch.nn.ZeroPad2d(1)(image), torch.nn.ZeroPad2d((1, 1, 1, 1))(image)))
#> True
