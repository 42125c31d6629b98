"""The first derivative of $x^3 \\cdot x$ is right, but the second is only half of what it should be, without any error.

Repair `Cube`, so that all derivatives are right.
"""
# exercise: repair
# covers: autograd.grad.second-derivative
# about: inside-the-engine/create-graph.md#everything-must-be-an-operation
# hint: The slope $3x^2$ depends on $x$, and the graph of the first derivative must contain this.
# hint: `detach` makes a constant of a tensor. In the second derivative, the slope then counts as a constant.

# %% start
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = 3 * x.detach() ** 2
        return g * slope


x = torch.tensor(2.0, requires_grad=True)
(first,) = torch.autograd.grad(Cube.apply(x) * x, x, create_graph=True)
(second,) = torch.autograd.grad(first, x, create_graph=True)
print(first.item(), second.item())

# %% solution
# -         slope = 3 * x.detach() ** 2
# +         slope = 3 * x**2

# %% right: as a product
# -         slope = 3 * x.detach() ** 2
# +         slope = 3 * x * x

# %% check
def _derivatives(_at):
    _x = torch.tensor(_at, requires_grad=True)
    _y, _found = Cube.apply(_x) * _x, []
    for _ in range(3):
        if _y.requires_grad:
            (_y,) = torch.autograd.grad(_y, _x, create_graph=True)
        _found.append(_y.item())
    return _found


_first, _second, _third = _derivatives(2.0)
assert _first == 32.0, f"The first derivative, 4x³, was 32 at 2, and is {_first} now."
assert _second != 24.0, "The second derivative should be 12x², 48 at 2, and is 24. The slope counts as a constant, although it depends on x."
assert _second == 48.0, f"The second derivative should be 12x², which is 48 at 2, and it is {_second}."
assert _third == 48.0, f"The second derivative is right now, but at 2 the third, 24x, should be 48 as well, and is {_third}."
_second = _derivatives(3.0)[1]
assert _second == 108.0, f"At 2 all derivatives are right. But at 3 the second derivative should be 108, and it is {_second}."

# %% wrong: twice as much
# -         slope = 3 * x.detach() ** 2
# -         return g * slope
# +         slope = 3 * x.detach() ** 2
# +         return g * slope + 24 * (x - x.detach())

# %% wrong: another exponent
# -         slope = 3 * x.detach() ** 2
# +         slope = 3 * x

# %% wrong: one of the two
# -         slope = 3 * x.detach() ** 2
# +         slope = 3 * x.detach() * x

# %% wrong: a factor more
# -         slope = 3 * x.detach() ** 2
# +         slope = 3 * x ** 2 * x.detach() / 2
