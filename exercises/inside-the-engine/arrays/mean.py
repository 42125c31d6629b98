"""The operation `mean` computes the right value, but the formula for its gradient is wrong.

Write the formula, so that the gradient is right for an array of any shape.
"""
# exercise: write
# covers: engine-v01.function-class
# about: inside-the-engine/arrays.md#an-operation-in-two-lines
# hint: If one element of six grows by 1, the mean grows by a sixth.
# hint: The gradient must have the shape of the input. `sum` shows how to spread one number over an array.

# %% start
import numpy as np


class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array = np.asarray(data, np.float32)
        self.requires_grad, self.grad = requires_grad, None
        self.parents, self.rules = [], []

    def backward(self, g=1.0):
        if not self.parents:
            self.grad = g if self.grad is None else self.grad + g
        for parent, rule in zip(self.parents, self.rules):
            parent.backward(rule(g))


def array_of(x):
    return x.array if isinstance(x, Tensor) else x


def names_of(function):
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def operation(forward, **formulas):
    def call(*args):
        out = Tensor(forward(*map(array_of, args)))
        given = dict(zip(names_of(forward), args), shape=args[0].array.shape)
        for name, formula in formulas.items():
            if given[name].requires_grad:
                kept = [array_of(given[one]) for one in names_of(formula)[1:]]
                out.requires_grad = True
                out.parents.append(given[name])
                out.rules.append(lambda g, f=formula, kept=kept: f(g, *kept))
        return out

    return call


Tensor.__mul__ = operation(lambda self, other: self * other,
    self=lambda g, other: g * other, other=lambda g, self: g * self)
Tensor.sum = operation(lambda self: self.sum(),
    self=lambda g, shape: np.broadcast_to(g, shape))
Tensor.mean = operation(lambda self: self.mean(),
    self=lambda g: g)

x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
(x * x).mean().backward()
print(x.grad)

# %% solution
#   Tensor.mean = operation(lambda self: self.mean(),
# -     self=lambda g: g)
# +     self=lambda g, shape: np.broadcast_to(g / np.prod(shape), shape))

# %% right: from the array itself
#   Tensor.mean = operation(lambda self: self.mean(),
# -     self=lambda g: g)
# +     self=lambda g, self: g * np.ones_like(self) / self.size)

# %% check
def _grad(_shape, _g):
    _x = Tensor(np.arange(1.0, 1.0 + np.prod(_shape)).reshape(_shape), requires_grad=True)
    _x.mean().backward(_g)
    return np.asarray(_x.grad)


assert Tensor([[1.0, 2.0], [3.0, 6.0]]).mean().array == 3.0, "The value of the mean was right before, and now it is wrong."
assert np.shape(_grad((2, 3), 1.0)) == (2, 3), f"The gradient of a (2, 3) array has the shape {np.shape(_grad((2, 3), 1.0))}. Every element needs a gradient."
_found = _grad((2, 3), 1.0)[0, 0]
assert _found != 1.0, "Each element receives the whole upstream gradient. This is the formula of the sum."
assert abs(_found - 1 / 6) < 1e-6, f"With six elements, each should receive one sixth of the upstream gradient. Here it receives {_found:.4f}."
assert np.allclose(_grad((4,), 3.0), 0.75), "This is right for two rows of three elements, but not for four elements and a `g` of 3. The divisor is the number of elements."

# %% wrong: the formula of the sum
#   Tensor.mean = operation(lambda self: self.mean(),
# -     self=lambda g: g)
# +     self=lambda g, shape: np.broadcast_to(g, shape))

# %% wrong: divided by the rows
#   Tensor.mean = operation(lambda self: self.mean(),
# -     self=lambda g: g)
# +     self=lambda g, shape: np.broadcast_to(g / shape[0], shape))

# %% wrong: always six
#   Tensor.mean = operation(lambda self: self.mean(),
# -     self=lambda g: g)
# +     self=lambda g, shape: np.broadcast_to(g / 6, shape))

# %% wrong: the sum instead
# - Tensor.mean = operation(lambda self: self.mean(),
# -     self=lambda g: g)
# + Tensor.mean = Tensor.sum
