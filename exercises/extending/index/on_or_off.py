"""The hidden units of this network are on or off, 1 or 0. Their derivative is 0, so the first layer is never trained.

Write a straight-through estimator: `backward` should pass the gradient on where the input is between −1 and 1, and 0 elsewhere. Then more than 350 of the 400 validation pictures must be right.
"""
# exercise: write
# covers: function.why function.steps
# about: extending/index.md#when-the-gradient-should-be-another
# hint: `backward` has to know which inputs are between −1 and 1, so `forward` must save the input.
# hint: The comparison `x.abs() < 1` gives True and False. Multiplied by `g`, they count as 1 and 0.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)


class OnOff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        return torch.zeros_like(g)


torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
first, second = nn.Linear(64, 32), nn.Linear(32, 10)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        scores = second(OnOff.apply(first(images[batch])))
        loss = F.cross_entropy(scores, labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    scores = second(OnOff.apply(first(images[validation])))
correct = (scores.argmax(dim=1) == labels[validation]).sum().item()
print(correct)

# %% solution
# -         return (x > 0).to(x.dtype)
# +         ctx.save_for_backward(x)
# +         return (x > 0).to(x.dtype)

# -         return torch.zeros_like(g)
# +         (x,) = ctx.saved_tensors
# +         return g * (x.abs() < 1)

# %% check
_x = torch.tensor([-2.0, -0.5, 0.5, 3.0], requires_grad=True)
_y = OnOff.apply(_x)
assert _y.tolist() == [0.0, 0.0, 1.0, 1.0], "`forward` computes something else now. Leave the units on or off, 1 above zero and 0 elsewhere."
(_g,) = torch.autograd.grad(_y, _x, torch.tensor([0.125, 0.25, 0.375, 0.5]))
assert _g.any(), "No gradient is passed on. 0 is the true derivative of a step, and a straight-through estimator replaces it."
assert not (_g[0] or _g[3]), "Now every gradient is passed on, even where the input is far from the step. For inputs below −1 or above 1, return 0."
assert _g.tolist() != [0.0, 1.0, 1.0, 0.0], "You return 1 in the right places. Pass `g` on instead, the gradient that arrives there."
assert _g.tolist() == [0.0, 0.25, 0.375, 0.0], f"For `g` = 0.125, 0.25, 0.375, 0.5 at the inputs −2, −0.5, 0.5 and 3 you return {_g.tolist()}. Pass `g` on unchanged between −1 and 1, on both sides of zero."
assert correct > 350, f"The gradient is right, but only {correct} pictures are. Train as the start does, for 20 epochs."

# %% wrong: straight through everywhere
# -         return torch.zeros_like(g)
# +         return g

# %% wrong: where the unit is on
# -         return (x > 0).to(x.dtype)
# +         ctx.save_for_backward(x)
# +         return (x > 0).to(x.dtype)

# -         return torch.zeros_like(g)
# +         (x,) = ctx.saved_tensors
# +         return g * ((x > 0) & (x < 1))

# %% wrong: ones
# -         return (x > 0).to(x.dtype)
# +         ctx.save_for_backward(x)
# +         return (x > 0).to(x.dtype)

# -         return torch.zeros_like(g)
# +         (x,) = ctx.saved_tensors
# +         return (x.abs() < 1).to(g.dtype)

# %% wrong: a ramp, whose derivative is not 0
# -         return (x > 0).to(x.dtype)
# +         ctx.save_for_backward(x)
# +         return (x / 2 + 0.5).clamp(0, 1)

# -         return torch.zeros_like(g)
# +         (x,) = ctx.saved_tensors
# +         return g * (x.abs() < 1)

# %% wrong: one epoch
# -         return (x > 0).to(x.dtype)
# +         ctx.save_for_backward(x)
# +         return (x > 0).to(x.dtype)

# -         return torch.zeros_like(g)
# +         (x,) = ctx.saved_tensors
# +         return g * (x.abs() < 1)

# - for epoch in range(20):
# + for epoch in range(1):
