"""This program chooses a learning rate by the accuracy on the test set, and reports the same accuracy. The number is too good, because it was chosen for being high.

Choose by the validation set, and let `reported` be the accuracy of the chosen networks on the test set. Use the test set exactly once.
"""
# exercise: repair
# covers: train.validation-loop
# about: training/generalization.md#three-sets
# hint: Which set may be used nine times, and which only once?
# hint: `results` decides about `best`, so it must come from the validation set. `reported` needs the networks of the chosen learning rate and the test set.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
indices = {"training": train, "validation": validation, "test": test}
uses = {"training": 0, "validation": 0, "test": 0}


def trained_network(lr, seed):
    torch.manual_seed(seed)
    net = nn.Linear(64, 10)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(5):
        for batch in train[torch.randperm(1000)].split(50):
            loss = F.cross_entropy(net(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net


def accuracy(nets, name):
    """Return the mean accuracy of the networks on one of the three sets, and count that the set was used."""
    uses[name] += 1
    with torch.no_grad():
        correct = [net(images[indices[name]]).argmax(dim=1) == labels[indices[name]] for net in nets]
    return torch.cat(correct).float().mean().item()


networks = {lr: [trained_network(lr, seed) for seed in range(3)] for lr in (0.1, 1.0, 10.0)}
results = {lr: accuracy(networks[lr], "test") for lr in networks}
best = max(results, key=results.get)
reported = results[best]
print(f"learning rate {best}, reported accuracy {reported:.3f}", uses)

# %% solution
# - results = {lr: accuracy(networks[lr], "test") for lr in networks}
# - best = max(results, key=results.get)
# - reported = results[best]
# + results = {lr: accuracy(networks[lr], "validation") for lr in networks}
# + best = max(results, key=results.get)
# + reported = accuracy(networks[best], "test")

# %% check
_uses = dict(uses)
_choices = {_lr: accuracy(networks[_lr], "validation") for _lr in networks}
_expected = accuracy(networks[max(_choices, key=_choices.get)], "test")
assert _uses["validation"] or _uses["training"], "The choice still comes from the test set."
assert _uses["validation"], "You choose by the training set. It prefers networks that have fitted their own pictures well, and these needn't be the ones that generalize best."
assert _uses["test"], "The test set hasn't been used at all, so `reported` is the validation accuracy. It is the highest of several, and therefore too high."
assert _uses["test"] == 1, f"The test set was used {_uses['test']} times. Only the chosen networks should be tested."
assert abs(reported - _expected) < 1e-6, f"`reported` is {reported:.4f}. The networks with the best validation accuracy have a test accuracy of {_expected:.4f}."

# %% wrong: the validation accuracy reported
# - results = {lr: accuracy(networks[lr], "test") for lr in networks}
# + results = {lr: accuracy(networks[lr], "validation") for lr in networks}

# %% wrong: chosen by the training set
# - results = {lr: accuracy(networks[lr], "test") for lr in networks}
# - best = max(results, key=results.get)
# - reported = results[best]
# + results = {lr: accuracy(networks[lr], "training") for lr in networks}
# + best = max(results, key=results.get)
# + reported = accuracy(networks[best], "test")

# %% wrong: every candidate tested
# - results = {lr: accuracy(networks[lr], "test") for lr in networks}
# - best = max(results, key=results.get)
# - reported = results[best]
# + results = {lr: accuracy(networks[lr], "validation") for lr in networks}
# + tests = {lr: accuracy(networks[lr], "test") for lr in networks}
# + best = max(results, key=results.get)
# + reported = tests[best]

# %% wrong: other networks tested
# - results = {lr: accuracy(networks[lr], "test") for lr in networks}
# - best = max(results, key=results.get)
# - reported = results[best]
# + results = {lr: accuracy(networks[lr], "validation") for lr in networks}
# + best = max(results, key=results.get)
# + reported = accuracy(networks[0.1], "test")
