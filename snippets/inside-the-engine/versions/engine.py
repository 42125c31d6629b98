"""Step 4: a saved tensor remembers its version, and a formula refuses one that has changed."""

import numpy as np
import torch


class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array, self.version = np.asarray(data, np.float32), 0
        self.requires_grad, self.grad = requires_grad, None
        self.parents, self.rules = (), ()


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def record(array, inputs, rules):
    wanted = [(t, rule) for t, rule in zip(inputs, rules) if t.requires_grad]
    out = Tensor(array, bool(wanted))
    out.parents, out.rules = [t for t, _ in wanted], [rule for _, rule in wanted]
    return out


# region: save
MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation"


def save(tensor):
    then = tensor.version

    def unpack():
        if tensor.version != then:
            raise RuntimeError(f"{MODIFIED}: it is at version {tensor.version}; expected version {then} instead")
        return tensor.array

    return unpack


def fill_(tensor, number):
    tensor.array[...] = number
    tensor.version += 1
    return tensor
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
            arrived[parent] = arrived[parent] + share if parent in arrived else share
            waits[parent] -= 1
            if waits[parent] == 0:
                ready.append(parent)


def add(a, b):
    b = as_tensor(b)
    return record(a.array + b.array, (a, b), (lambda g: g, lambda g: g))


# region: operations
def mul(a, b):
    b = as_tensor(b)
    saved_a, saved_b = save(a), save(b)
    return record(a.array * b.array, (a, b), (lambda g: g * saved_b(), lambda g: g * saved_a()))


def matmul(a, b):
    saved_a, saved_b = save(a), save(b)
    return record(a.array @ b.array, (a, b), (lambda g: g @ saved_b().T, lambda g: saved_a().T @ g))


def sum_all(a):
    shape = a.array.shape  # all that the formula needs
    return record(a.array.sum(), (a,), (lambda g: np.broadcast_to(g, shape),))


Tensor.__add__, Tensor.__mul__, Tensor.__matmul__, Tensor.sum, Tensor.backward = add, mul, matmul, sum_all, backward
Tensor.__sub__ = lambda a, b: a + as_tensor(b) * -1
Tensor.fill_ = fill_
# endregion


# region: as-torch-does
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
    loss = (h + h).sum()  # a sum needs neither of its terms
    h.fill_(1000.0)
    loss.backward()
    return a.grad.tolist()


print(overwritten(Tensor))
#> one of the variables needed for gradient computation has been modified by an inplace operation
print(overwritten(torch.tensor))
#> one of the variables needed for gradient computation has been modified by an inplace operation
print(not_needed(Tensor), not_needed(torch.tensor))
#> [4.0, 4.0] [4.0, 4.0]
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
