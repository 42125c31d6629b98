"""A point lies at $(x, y)$. `forward` returns its distance from the origin, $r = \\sqrt{x^2 + y^2}$, and its angle, $\\arctan(y / x)$. Write `backward`.

The derivatives of the distance with respect to $x$ and $y$ are $x/r$ and $y/r$, and those of the angle are $-y/r^2$ and $x/r^2$.
"""
# exercise: write
# covers: function.backward-arg-count, function.backward-return-count
# about: extending/arguments.md#forward-takes-anything
# hint: `x` reaches the loss on two paths, through the distance and through the angle. `grad_r` and `grad_angle` are the gradients that arrive on each.
# hint: The gradient of `x` is `grad_r` times $x/r$, plus `grad_angle` times $-y/r^2$.

# %% start
import torch


class Polar(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return torch.sqrt(x * x + y * y), torch.atan(y / x)

    @staticmethod
    def backward(ctx, grad_r, grad_angle):
        x, y = ctx.saved_tensors
        r = torch.sqrt(x * x + y * y)
        return grad_r, grad_angle


x = torch.tensor([3.0], requires_grad=True)
y = torch.tensor([4.0], requires_grad=True)
r, angle = Polar.apply(x, y)
(r + 10 * angle).backward()
print(x.grad, y.grad)

# %% solution
# -         return grad_r, grad_angle
# +         return grad_r * x / r - grad_angle * y / r**2, grad_r * y / r + grad_angle * x / r**2

# %% check
def _shares(of_r, of_angle):
    _x = torch.tensor([3.0, 1.0], dtype=torch.float64, requires_grad=True)
    _y = torch.tensor([4.0, 2.0], dtype=torch.float64, requires_grad=True)
    _r, _angle = Polar.apply(_x, _y)
    _own = torch.autograd.grad((of_r * _r + of_angle * _angle).sum(), [_x, _y])
    _true = torch.autograd.grad((of_r * torch.sqrt(_x * _x + _y * _y) + of_angle * torch.atan(_y / _x)).sum(), [_x, _y])
    return [torch.allclose(a, b) for a, b in zip(_own, _true, strict=True)], [a.tolist() for a in _own]


_distance, _angle = _shares(1.0, 0.0), _shares(0.0, 1.0)
assert _distance[1] != [[1.0, 1.0], [0.0, 0.0]], "You return `grad_r` for `x` and `grad_angle` for `y`. But both results depend on both inputs, so each gradient is a sum of two products."
assert all(_distance[0]) or not all(_angle[0]), "The contributions of the angle are right, but those of the distance are wrong."
assert all(_angle[0]) or not all(_distance[0]), f"The contributions of the distance are right, but those of the angle are wrong. At (3, 4), with 0 for the distance and 1 for the angle, you return {_angle[1][0][0]:.2f} and {_angle[1][1][0]:.2f}, and it should be -0.16 and 0.12."
assert all(_distance[0] + _angle[0]), f"At (3, 4), with 1 for the distance and 0 for the angle, you return {_distance[1][0][0]:.2f} and {_distance[1][1][0]:.2f}. It should be 0.60 and 0.80."
assert all(_shares(2.0, 10.0)[0]), "Your gradients are right only if the upstream gradients are 1. Multiply by `grad_r` and `grad_angle`."

# %% right: the formula in other words
# -         return grad_r, grad_angle
# +         along = torch.stack([x, y]) / r
# +         around = torch.stack([-y, x]) / r**2
# +         shares = grad_r * along + grad_angle * around
# +         return shares[0], shares[1]

# %% wrong: the derivatives of the angle are exchanged
# -         return grad_r, grad_angle
# +         return grad_r * x / r + grad_angle * x / r**2, grad_r * y / r - grad_angle * y / r**2

# %% wrong: the distance as if it were squared
# -         return grad_r, grad_angle
# +         return grad_r * 2 * x - grad_angle * y / r**2, grad_r * 2 * y + grad_angle * x / r**2

# %% wrong: in the order of the results
# -         return grad_r, grad_angle
# +         return grad_r * (x + y) / r, grad_angle * (x - y) / r**2

# %% wrong: only whether something arrives
# -         return grad_r, grad_angle
# +         r_used, angle_used = grad_r.sign(), grad_angle.sign()
# +         return r_used * x / r - angle_used * y / r**2, r_used * y / r + angle_used * x / r**2

# %% wrong: one gradient for both
# error: RuntimeError: function PolarBackward returned an incorrect number of gradients (expected 2, got 1)
# hint: `forward` has two arguments, so `backward` must return two values.
# -         return grad_r, grad_angle
# +         return grad_r * x / r - grad_angle * y / r**2
