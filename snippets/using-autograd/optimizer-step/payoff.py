"""The weight and the bias that four pictures taught, tried on the zeros and ones of the validation set."""
# covers: autograd.optimizer-step

import torch
from sklearn.datasets import load_digits

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
zeros_and_ones = validation[labels[validation] < 2]

middles = images.reshape(-1, 8, 8)[zeros_and_ones, 3:5, 3:5]
x = middles.mean(dim=(1, 2))  # the ink in the middle
y = labels[zeros_and_ones]
says_one = 1.2 * x - 0.1 > 0.5
print((says_one == (y == 1)).sum().item(), "of", len(y))
#> 76 of 79
