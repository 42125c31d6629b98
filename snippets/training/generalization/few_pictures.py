"""Fifty training pictures and a hundred epochs: the validation loss falls, and then it rises."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
few = train[:50]


def evaluate(net, indices):
    """Return the mean loss, the correct answers, and the mean probability of the wrong ones."""
    with torch.no_grad():
        scores = net(images[indices])
    probability, answers = F.softmax(scores, dim=1).max(dim=1)
    correct = answers == labels[indices]
    loss = F.cross_entropy(scores, labels[indices])
    return loss.item(), correct.sum().item(), probability[~correct].mean().item()


# region: train
def learning_curve(seed):
    """Return the results on both sets, before training and after each epoch."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    on_training, on_validation = [evaluate(net, few)], [evaluate(net, validation)]
    for epoch in range(100):
        for batch in few[torch.randperm(50)].split(10):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        on_training.append(evaluate(net, few))
        on_validation.append(evaluate(net, validation))
    return on_training, on_validation


runs = [learning_curve(seed) for seed in range(5)]
# endregion

# region: lowest
for on_training, on_validation in runs:
    lowest, last = min(on_validation), on_validation[-1]
    losses, correct = f"{lowest[0]:.2f} {last[0]:.2f}", f"{lowest[1]} {last[1]}"
    print(f"loss {losses}, correct {correct}, when wrong {lowest[2]:.2f} {last[2]:.2f}")
#> loss 0.81 0.98, correct 303 310, when wrong 0.58 0.71
#> loss 0.84 1.08, correct 302 305, when wrong 0.57 0.72
#> loss 0.82 1.02, correct 303 306, when wrong 0.54 0.70
#> loss 0.86 1.01, correct 302 305, when wrong 0.58 0.68
#> loss 0.80 0.94, correct 314 310, when wrong 0.57 0.66
# endregion

training_loss = [results[0] for results in runs[0][0]]
validation_loss = [results[0] for results in runs[0][1]]
