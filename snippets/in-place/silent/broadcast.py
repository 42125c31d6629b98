"""6. Two tensors that should have the same shape are broadcast instead."""
# covers: inplace.no-error-means-right

import torch

prediction = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)
target = torch.tensor([1.0, 2.0, 3.0])

difference = prediction - target
print(difference.shape)
#> torch.Size([3, 3])
(difference**2).mean().backward()
print(prediction.grad.flatten())
#> tensor([-0.6667,  0.0000,  0.6667])

prediction.grad = None
difference = prediction - target.unsqueeze(1)
print(difference.shape)
#> torch.Size([3, 1])
(difference**2).mean().backward()
print(prediction.grad.flatten())  # right
#> tensor([0., 0., 0.])
