"""The painter learns from the score that the judge gives to its pictures, but its backward pass also fills `.grad` of the judge. Repair the line that calls `backward`, so that the judge's `.grad` stay `None`."""
# exercise: repair
# covers: autograd.backward.inputs-arg
# about: using-autograd/grad.md#only-the-listed-tensors
# hint: The path from `loss` to the painter leads through the judge, so `backward` fills the `.grad` of its weights as well.
# hint: The gradient must pass *through* the judge, but it must not be stored there.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
painter, judge = nn.Linear(2, 3), nn.Linear(3, 1)
ideas = torch.randn(8, 2)

loss = -judge(painter(ideas)).mean()
loss.backward()
print([p.grad is None for p in painter.parameters()], [p.grad is None for p in judge.parameters()])

# %% solution
# - loss.backward()
# + loss.backward(inputs=list(painter.parameters()))

# %% right: the judge asks for no gradient
# - loss = -judge(painter(ideas)).mean()
# + judge.requires_grad_(False)
# + loss = -judge(painter(ideas)).mean()
# + judge.requires_grad_(True)

# %% right: gradients as values
# - loss.backward()
# + for p, g in zip(painter.parameters(), torch.autograd.grad(loss, list(painter.parameters())), strict=True):
# +     p.grad = g

# %% check
assert all(_p.requires_grad for _p in judge.parameters()), "The weights of the judge no longer require grad, so the judge can't learn when its turn comes."
_want = torch.autograd.grad(-judge(painter(ideas)).mean(), list(painter.parameters()))
assert any(_p.grad is not None for _p in [*painter.parameters(), *judge.parameters()]), "No weight has a gradient now, not even those of the painter."
assert all(_p.grad is not None for _p in painter.parameters()), "The painter has no gradient. Its gradient comes through the judge, and the graph is cut on this path."
assert all(_p.grad is None for _p in judge.parameters()), "The judge's weights still have gradients from the painter's turn."
assert all(torch.allclose(_p.grad, _g) for _p, _g in zip(painter.parameters(), _want, strict=True)), "The painter's gradients are not the gradients of this loss."

# %% wrong: the picture cut off
# - loss = -judge(painter(ideas)).mean()
# + loss = -judge(painter(ideas).detach()).mean()

# %% wrong: all of it cleared
# - loss.backward()
# + loss.backward()
# + painter.zero_grad()
# + judge.zero_grad()

# %% wrong: the judge frozen for good
# - loss = -judge(painter(ideas)).mean()
# + judge.requires_grad_(False)
# + loss = -judge(painter(ideas)).mean()

# %% wrong: another loss
# - loss = -judge(painter(ideas)).mean()
# - loss.backward()
# + loss = -painter(ideas).mean()
# + loss.backward()

# %% wrong: the judge under no_grad
# error: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
# hint: Autograd records nothing that the judge computes, so no gradient can pass through it.
# - loss = -judge(painter(ideas)).mean()
# + with torch.no_grad():
# +     loss = -judge(painter(ideas)).mean()
