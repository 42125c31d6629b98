"""Step 3: arrays, and a sum over what was broadcast."""

import numpy as np
import torch


# region: tensor
class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array = np.asarray(data, np.float32)
        self.requires_grad, self.grad = requires_grad, None
        self.parents, self.rules = [], []


def array_of(x):
    return x.array if isinstance(x, Tensor) else x
# endregion


# region: operation
def names_of(function):
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def rule(formula, given):
    kept = [array_of(given[name]) for name in names_of(formula)[1:]]  # all but g
    return lambda g: formula(g, *kept)


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
# endregion


# region: unbroadcast
def unbroadcast(g, shape):
    while g.ndim > len(shape):  # a dimension that was added in front
        g = g.sum(0)
    for dim, n in enumerate(shape):
        if n == 1:  # one that was stretched
            g = g.sum(dim, keepdims=True)
    return g
# endregion


# region: backward
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
        if not tensor.parents:  # a leaf keeps it; the others pass it on and forget it
            tensor.grad = g if tensor.grad is None else tensor.grad + g
        for parent, rule in zip(tensor.parents, tensor.rules):
            share = unbroadcast(rule(g), parent.array.shape)
            before = arrived.get(parent)
            arrived[parent] = share if before is None else before + share
            waits[parent] -= 1
            if waits[parent] == 0:
                ready.append(parent)


Tensor.backward = backward
# endregion


# region: on-both-engines
def weights(tensor):
    x = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    w = tensor([1.0, 0.5, -1.0], requires_grad=True)
    (x * w).sum().backward()
    return w.grad.tolist()


def layer(tensor):
    x = tensor([[1.0, 2.0], [4.0, 5.0]])
    w = tensor([[1.0], [-0.5]], requires_grad=True)
    b = tensor([2.0], requires_grad=True)
    error = x @ w + b - tensor([[0.0], [1.0]])
    (error * error).sum().backward()
    return w.grad.tolist(), b.grad.tolist()


for trial in weights, layer:
    print(trial(Tensor))
    print(trial(torch.tensor))
#> [5.0, 7.0, 9.0]
#> [5.0, 7.0, 9.0]
#> ([[24.0], [33.0]], [9.0])
#> ([[24.0], [33.0]], [9.0])
# endregion


# region: trouble
def overwritten(tensor, memory_of):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 1.0
    loss = (h * h).sum()
    memory_of(h)[0] = 1000.0  # the loss is computed already
    loss.backward()
    return a.grad.tolist()


print(overwritten(Tensor, lambda t: t.array))
#> [2000.0, 8.0]
print(overwritten(torch.tensor, lambda t: t.data))
#> [2000.0, 8.0]
# endregion
