"""The hidden units of this network are on or off, and nothing reaches the weights before them. Let `backward` pass the gradient straight through where the input is between -1 and 1.

The network then reads more than 720 of the 797 unseen pictures.
"""
# exercise: write
# covers: function.why function.steps
# about: extending/index.md#when-the-gradient-should-be-another
# hint: Which inputs are between -1 and 1? `backward` has to know them.
# hint: A comparison gives True and False. Multiplied with `g`, they are 1 and 0.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)


class OnOff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        return torch.zeros_like(g)


torch.manual_seed(0)
first, second = nn.Linear(64, 32), nn.Linear(32, 10)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.5)
for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        scores = second(OnOff.apply(first(pictures[batch])))
        loss = F.cross_entropy(scores, labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    scores = second(OnOff.apply(first(pictures[1000:])))
right = (scores.argmax(dim=1) == labels[1000:]).sum().item()
print(right)

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
assert _y.tolist() == [0.0, 0.0, 1.0, 1.0], "The units are to stay on or off: 1 above zero, 0 elsewhere."
(_g,) = torch.autograd.grad(_y, _x, torch.tensor([1.0, 2.0, 3.0, 4.0]))
assert _g.any(), "Nothing passes. The true derivative of a step is zero, and it's what you want to get away from."
assert not (_g[0] or _g[3]), "Now everything passes, even where the input is far from the step. At -2 a small change switches nothing."
assert _g.tolist() != [0.0, 1.0, 1.0, 0.0], "In the right places, and always 1. What has become of `g`?"
assert _g.tolist() == [0.0, 2.0, 3.0, 0.0], f"For `g` = 1, 2, 3, 4 at -2, -0.5, 0.5 and 3 you return {_g.tolist()}. Between -1 and 1, and nowhere else, `g` is to pass as it is."
assert right > 720, f"The gradient is right, and the network reads {right}. Is the training still the one from the start?"

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

# %% wrong: a ramp, so that autograd has a slope
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
