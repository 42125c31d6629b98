"""The painter learns from what the judge says of its pictures. Its turn must not leave anything in the judge's `.grad`. Repair the line that goes backward."""
# exercise: repair
# covers: autograd.backward.inputs-arg
# about: using-autograd/inputs.md#only-the-listed-tensors
# hint: The path from `loss` to the painter leads through the judge, so `backward` fills the `.grad` of its weights as well.
# hint: The gradient has to come *through* the judge. It just must not stay there.

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
assert all(_p.requires_grad for _p in judge.parameters()), "From now on the judge can't learn any more: its weights no longer require grad when its own turn comes."
_want = torch.autograd.grad(-judge(painter(ideas)).mean(), list(painter.parameters()))
assert any(_p.grad is not None for _p in [*painter.parameters(), *judge.parameters()]), "Nobody has a gradient now, the painter included."
assert all(_p.grad is not None for _p in painter.parameters()), "The painter has no gradient. It has to come back through the judge; where is the way cut off?"
assert all(_p.grad is None for _p in judge.parameters()), "The judge's weights still have gradients from the painter's turn."
assert all(torch.allclose(_p.grad, _g) for _p, _g in zip(painter.parameters(), _want, strict=True)), "The painter's gradients aren't those of this loss."

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
# hint: Nothing of what the judge does is recorded, so there is no way back through it.
# - loss = -judge(painter(ideas)).mean()
# + with torch.no_grad():
# +     loss = -judge(painter(ideas)).mean()
