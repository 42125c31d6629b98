"""Operations of torch put together need no Function: autograd has the gradient already."""
# covers: function.why

import torch


def my_loss(prediction, target):
    error = (prediction - target).abs()
    return torch.where(error < 1, 0.5 * error**2, error - 0.5).mean()


prediction = torch.tensor([0.5, 3.0], requires_grad=True)
my_loss(prediction, torch.zeros(2)).backward()
print(prediction.grad)
#> tensor([0.2500, 0.5000])
