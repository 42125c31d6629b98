"""In the test, the gradient of `Legendre3` agrees with that of autograd, but the loss of the fit hardly falls: it ends above 42.

Repair `Legendre3` and leave the steps as they are. The loss must end below 25.
"""
# exercise: repair
# covers: function.legendre
# about: extending/complete-functions.md#checked
# hint: `sum` sends the gradient 1 to each number. The loss of the fit sends other numbers, and `backward` receives them as `g`.
# hint: Test with `(2 * p3(x)).sum()` instead of `p3(x).sum()`.

# %% start
import math

import torch


class Legendre3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (5 * x**3 - 3 * x) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (15 * x**2 - 3) / 2


p3 = Legendre3.apply
x = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
(ours,) = torch.autograd.grad(p3(x).sum(), x)
(theirs,) = torch.autograd.grad(((5 * x**3 - 3 * x) / 2).sum(), x)
print("the test:", torch.allclose(ours, theirs))

x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.float64)
b = torch.tensor(-1.0, dtype=torch.float64, requires_grad=True)
d = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
for step in range(100):
    loss = ((b * p3(d * x) - torch.sin(x)) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        b -= 5e-5 * b.grad
        d -= 5e-5 * d.grad
        b.grad = d.grad = None
print("the fit: ", loss.item())

# %% solution
# -         return (15 * x**2 - 3) / 2
# +         return g * (15 * x**2 - 3) / 2

# %% right: multiplied out
# -         return (15 * x**2 - 3) / 2
# +         return g * 1.5 * (5 * x**2 - 1)

# %% check
_x = torch.tensor([-0.5, 0.2, 2.0], dtype=torch.float64, requires_grad=True)
_arrives = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
(_ours,) = torch.autograd.grad(Legendre3.apply(_x), _x, _arrives)
(_theirs,) = torch.autograd.grad((5 * _x**3 - 3 * _x) / 2, _x, _arrives)
_slope = (15 * _x.detach() ** 2 - 3) / 2
assert not torch.allclose(_ours, _slope), "Your gradient is right only if the upstream gradient is 1 for each number, as in the test. In the fit it isn't."
assert torch.allclose(_ours, _theirs), f"For the upstream gradients 1, -2 and 0.5, you return {', '.join(f'{one:.2f}' for one in _ours.tolist())}. It should be {', '.join(f'{one:.2f}' for one in _theirs.tolist())}."
assert loss.item() < 25, f"The gradient is right, but the fit ends with the loss {loss.item():.1f}. Leave the fit as it was at the start."

# %% wrong: added instead of multiplied
# -         return (15 * x**2 - 3) / 2
# +         return g + (15 * x**2 - 3) / 2

# %% wrong: the fit is cut short
# -         return (15 * x**2 - 3) / 2
# +         return g * (15 * x**2 - 3) / 2

# - for step in range(100):
# + for step in range(1):
