"""Step 4: a saved tensor remembers its version."""

import numpy as np
import torch


# region: tensor
class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array, self.version = np.asarray(data, np.float32), 0
        self.requires_grad, self.grad = requires_grad, None
        self.parents, self.rules = [], []
# endregion


def array_of(x):
    return x.array if isinstance(x, Tensor) else x


# region: save
MODIFIED = (
    "one of the variables needed for gradient computation has been modified "
    "by an inplace operation: it is at version {}; expected version {} instead"
)


def save(x):
    then = getattr(x, "version", 0)  # a number or a shape has none

    def unpack():
        if getattr(x, "version", 0) != then:
            raise RuntimeError(MODIFIED.format(x.version, then))
        return array_of(x)

    return unpack
# endregion


def names_of(function):
    return function.__code__.co_varnames[: function.__code__.co_argcount]


# region: rule
def rule(formula, given):
    kept = [save(given[name]) for name in names_of(formula)[1:]]
    return lambda g: formula(g, *[unpack() for unpack in kept])
# endregion


def operation(forward, **formulas):
    def call(*args):
        out = Tensor(forward(*map(array_of, args)))
        given = dict(zip(names_of(forward), args), shape=args[0].array.shape)
        for name, formula in formulas.items():
            if getattr(given[name], "requires_grad", False):
                out.requires_grad = True
                out.parents.append(given[name])
                out.rules.append(rule(formula, given))
        return out

    return call


Tensor.__add__ = operation(lambda self, other: self + other,
    self=lambda g: g, other=lambda g: g)
Tensor.__sub__ = operation(lambda self, other: self - other,
    self=lambda g: g, other=lambda g: g * -1)
Tensor.__mul__ = operation(lambda self, other: self * other,
    self=lambda g, other: g * other, other=lambda g, self: g * self)
Tensor.__matmul__ = operation(lambda self, other: self @ other,
    self=lambda g, other: g @ other.T, other=lambda g, self: self.T @ g)
Tensor.sum = operation(lambda self: self.sum(),
    self=lambda g, shape: np.broadcast_to(g, shape))


# region: fill
def fill_(self, number):
    self.array[...] = number
    self.version += 1
    return self


Tensor.fill_ = fill_
# endregion


def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for dim, n in enumerate(shape):
        if n == 1:
            g = g.sum(dim, keepdims=True)
    return g


def backward(root):
    waits, stack = {}, [root]
    while stack:
        for parent in stack.pop().parents:
            waits[parent] = waits.get(parent, 0) + 1
            if waits[parent] == 1:
                stack.append(parent)
    arrived, ready = {root: np.ones_like(root.array)}, [root]
    while ready:
        tensor = ready.pop()
        g = arrived.pop(tensor)
        if not tensor.parents:
            tensor.grad = g if tensor.grad is None else tensor.grad + g
        for parent, rule in zip(tensor.parents, tensor.rules):
            share = unbroadcast(rule(g), parent.array.shape)
            before = arrived.get(parent)
            arrived[parent] = share if before is None else before + share
            waits[parent] -= 1
            if waits[parent] == 0:
                ready.append(parent)


Tensor.backward = backward


# region: on-both-engines
def overwritten(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 1.0
    loss = (h * h).sum()
    h.fill_(1000.0)
    try:
        loss.backward()
    except RuntimeError as error:
        return str(error).partition(":")[0]


def not_needed(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    loss = (h + h).sum()  # the formulas of a sum ask for neither of its terms
    h.fill_(1000.0)
    loss.backward()
    return a.grad.tolist()


for trial in overwritten, not_needed:
    print(trial(Tensor))
    print(trial(torch.tensor))
#> one of the variables needed for gradient computation has been modified by an inplace operation
#> one of the variables needed for gradient computation has been modified by an inplace operation
#> [4.0, 4.0]
#> [4.0, 4.0]
# endregion


# region: trouble
def cleared(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    h.fill_(0.0)
    h.sum().backward()
    return a.grad.tolist()


print(cleared(Tensor))
#> [2.0, 2.0]
print(cleared(torch.tensor))
#> [0.0, 0.0]
# endregion
