"""Five networks with a right gradient, and five with a wrong one."""
# covers: function.gradcheck

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * (1 - s))


def validation_correct(activation, seed):
    """Train a network with this activation function, and count its correct validation answers."""
    torch.manual_seed(seed)
    first, second = nn.Linear(64, 32), nn.Linear(32, 10)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.5)
    for epoch in range(20):
        for batch in train.split(50):
            scores = second(activation(first(images[batch])))
            loss = F.cross_entropy(scores, labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        scores = second(activation(first(images[validation])))
    return (scores.argmax(dim=1) == labels[validation]).sum().item()


# region: wrong
class Forgetful(Swish):  # with the same forward
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)  # without the second term


for activation in Swish, Forgetful:
    correct = [validation_correct(activation.apply, seed) for seed in range(5)]
    print(activation.__name__, correct)
#> Swish [379, 380, 381, 383, 379]
#> Forgetful [380, 379, 379, 381, 376]
# endregion
