"""Step 3: arrays in place of numbers, and what broadcasting spread is summed again."""

import numpy as np
import torch


# region: tensor
class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array = np.asarray(data, np.float32)
        self.requires_grad, self.grad = requires_grad, None
        self.parents, self.rules = (), ()


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def record(array, inputs, rules):
    wanted = [(t, rule) for t, rule in zip(inputs, rules) if t.requires_grad]
    out = Tensor(array, bool(wanted))
    out.parents, out.rules = [t for t, _ in wanted], [rule for _, rule in wanted]
    return out
# endregion


# region: unbroadcast
def unbroadcast(g, shape):
    while g.ndim > len(shape):  # dimensions that were added in front
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
        if not tensor.parents:  # a leaf adds it to what it has; all others pass it on and drop it
            tensor.grad = g if tensor.grad is None else tensor.grad + g
        for parent, rule in zip(tensor.parents, tensor.rules):
            share = unbroadcast(rule(g), parent.array.shape)
            arrived[parent] = arrived[parent] + share if parent in arrived else share
            waits[parent] -= 1
            if waits[parent] == 0:
                ready.append(parent)
# endregion


# region: operations
def add(a, b):
    b = as_tensor(b)
    return record(a.array + b.array, (a, b), (lambda g: g, lambda g: g))


def mul(a, b):
    b = as_tensor(b)
    return record(a.array * b.array, (a, b), (lambda g: g * b.array, lambda g: g * a.array))


def matmul(a, b):
    return record(a.array @ b.array, (a, b), (lambda g: g @ b.array.T, lambda g: a.array.T @ g))


def sum_all(a):
    return record(a.array.sum(), (a,), (lambda g: np.broadcast_to(g, a.array.shape),))


Tensor.__add__, Tensor.__mul__, Tensor.__matmul__, Tensor.sum, Tensor.backward = add, mul, matmul, sum_all, backward
Tensor.__sub__ = lambda a, b: a + as_tensor(b) * -1
# endregion


# region: as-torch-does
def trial(tensor):
    x = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    w = tensor([[1.0], [0.5], [-1.0]], requires_grad=True)
    b = tensor([2.0], requires_grad=True)
    error = x @ w + b - tensor([[0.0], [1.0]])
    (error * error).sum().backward()
    return w.grad.tolist(), b.grad.tolist()


print(trial(Tensor))
#> ([[14.0], [19.0], [24.0]], [5.0])
print(trial(torch.tensor))
#> ([[14.0], [19.0], [24.0]], [5.0])
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
