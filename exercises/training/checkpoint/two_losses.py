"""This model has two losses and takes a step after each of their backward passes. The second `backward` stops with "modified by an inplace operation".

Repair the program so that it takes a single step, down the sum of both losses.
"""
# exercise: repair
# covers: inplace.error.modified
# about: in-place/versions.md#three-repairs
# hint: The first `optimizer.step()` writes to weights that the second `backward` still needs.
# hint: `retain_graph=True` keeps the saved tensors, but `step` changes the numbers in them.
# hint: `backward` adds to `.grad`. So two backward passes can share one step.

# %% start
import torch

torch.manual_seed(0)
x = torch.randn(8, 3)
W1 = (torch.randn(3, 4) / 2).requires_grad_()
W2 = (torch.randn(4, 2) / 2).requires_grad_()
before = [W1.detach().clone(), W2.detach().clone()]
optimizer = torch.optim.SGD([W1, W2], lr=0.1)

scores = torch.sigmoid(x @ W1) @ W2
first = ((scores[:, 0] - 1) ** 2).mean()
second = ((scores[:, 1] + 1) ** 2).mean()
optimizer.zero_grad()
first.backward(retain_graph=True)
optimizer.step()
second.backward()
optimizer.step()

# %% solution
# - optimizer.step()
# - second.backward()
# + second.backward()

# %% right: one sum
# - first.backward(retain_graph=True)
# - optimizer.step()
# - second.backward()
# + (first + second).backward()

# %% check
_W1, _W2 = (_b.clone().requires_grad_() for _b in before)
_scores = torch.sigmoid(x @ _W1) @ _W2
(((_scores[:, 0] - 1) ** 2).mean() + ((_scores[:, 1] + 1) ** 2).mean()).backward()
assert not (torch.equal(W1, before[0]) and torch.equal(W2, before[1])), "There is no error, but no step either: the weights have not moved."
assert torch.allclose(W1, before[0] - 0.1 * _W1.grad, atol=1e-6) and torch.allclose(W2, before[1] - 0.1 * _W2.grad, atol=1e-6), "There is no error, but the weights didn't move by one step down the sum of both losses. Check which gradients are in `.grad` when `step` reads it, and how often `step` runs."

# %% wrong: a new forward pass after the first step
# - second.backward()
# + ((torch.sigmoid(x @ W1) @ W2)[:, 1] + 1).square().mean().backward()

# %% wrong: no step at all
# - optimizer.step()
# - second.backward()
# - optimizer.step()
# + second.backward()
