"""A classifier of digits as a module, and one step of gradient descent."""
# covers: module.subclass module.parameter-registration module.forward-auto-backward

# region: data
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
# endregion


# region: classifier
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(10, 64))
        self.bias = nn.Parameter(torch.zeros(10))

    def forward(self, x):
        return x @ self.weight.T + self.bias


net = Classifier()
for name, parameter in net.named_parameters():
    print(name, tuple(parameter.shape))
#> weight (10, 64)
#> bias (10,)
# endregion

# region: step
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
loss = F.cross_entropy(net(images[train]), labels[train])
print(f"{loss.item():.4f}")
#> 2.3026
loss.backward()
optimizer.step()

with torch.no_grad():
    answers = net(images[validation]).argmax(dim=1)
print((answers == labels[validation]).sum().item(), "of", len(validation))
#> 286 of 400
# endregion

# region: weights
is_digit = F.one_hot(labels[train], 10).float()
by_hand = 0.5 * (is_digit - 0.1).T @ images[train] / len(train)
print(torch.allclose(net.weight, by_hand, atol=1e-6))
#> True

weights = net.weight.detach().reshape(10, 8, 8)
mean_images = [images[train][labels[train] == digit].mean(dim=0) for digit in range(10)]
mean_images = torch.stack(mean_images).reshape(10, 8, 8)
# endregion
