"""Step 5: nodes apart from tensors, so that a tensor changed in place can get a new history."""

import numpy as np
import torch


# region: node
class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array, self.version = np.asarray(data, np.float32), 0
        self.wants_grad, self.grad = requires_grad, None
        self.grad_fn, self.accumulator = None, None

    @property
    def requires_grad(self):
        return self.wants_grad or self.grad_fn is not None


class Node:
    def __init__(self, inputs, rules):
        self.next = [edge(t) for t in inputs]  # the nodes that made the inputs; None where no gradient is wanted
        self.rules, self.shapes = list(rules), [t.array.shape for t in inputs]

    def apply(self, g):
        rules = zip(self.next, self.rules, self.shapes)
        return [unbroadcast(rule(g), shape) if node else None for node, rule, shape in rules]


class AccumulateGrad:
    next = ()

    def __init__(self, leaf):
        self.leaf = leaf

    def apply(self, g):
        self.leaf.grad = g if self.leaf.grad is None else self.leaf.grad + g
        return ()


def edge(tensor):
    if tensor.grad_fn is None and tensor.requires_grad:
        tensor.accumulator = tensor.accumulator or AccumulateGrad(tensor)  # one per leaf
        return tensor.accumulator
    return tensor.grad_fn


def record(array, inputs, rules):
    out = Tensor(array)
    if any(t.requires_grad for t in inputs):
        out.grad_fn = Node(inputs, rules)
    return out
# endregion


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation"


def save(tensor):
    then = tensor.version

    def unpack():
        if tensor.version != then:
            raise RuntimeError(f"{MODIFIED}: it is at version {tensor.version}; expected version {then} instead")
        return tensor.array

    return unpack


# region: in-place
LEAF = "a leaf Variable that requires grad is being used in an in-place operation."


def in_place(operation):
    def changed(self, other):
        if self.requires_grad and self.grad_fn is None:
            raise RuntimeError(LEAF)
        before = Tensor(self.array.copy())  # the old value, with the old history
        before.grad_fn = self.grad_fn
        result = operation(before, other)
        self.array[...] = result.array
        self.version += 1
        self.grad_fn = result.grad_fn
        return self

    return changed
# endregion


def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for dim, n in enumerate(shape):
        if n == 1:
            g = g.sum(dim, keepdims=True)
    return g


# region: backward
def backward(root):
    waits, stack = {}, [root.grad_fn]
    while stack:
        for node in stack.pop().next:
            if node:
                waits[node] = waits.get(node, 0) + 1
                if waits[node] == 1:
                    stack.append(node)
    arrived, ready = {root.grad_fn: np.ones_like(root.array)}, [root.grad_fn]
    while ready:
        node = ready.pop()
        for target, share in zip(node.next, node.apply(arrived.pop(node))):
            if target:
                arrived[target] = arrived[target] + share if target in arrived else share
                waits[target] -= 1
                if waits[target] == 0:
                    ready.append(target)
# endregion


def add(a, b):
    b = as_tensor(b)
    return record(a.array + b.array, (a, b), (lambda g: g, lambda g: g))


def mul(a, b):
    b = as_tensor(b)
    saved_a, saved_b = save(a), save(b)
    return record(a.array * b.array, (a, b), (lambda g: g * saved_b(), lambda g: g * saved_a()))


def matmul(a, b):
    saved_a, saved_b = save(a), save(b)
    return record(a.array @ b.array, (a, b), (lambda g: g @ saved_b().T, lambda g: saved_a().T @ g))


def sum_all(a):
    shape = a.array.shape
    return record(a.array.sum(), (a,), (lambda g: np.broadcast_to(g, shape),))


# region: operations
def fill(a, number):
    return record(np.full_like(a.array, number), (a,), (lambda g: g * 0,))


def get(a, key):
    def put(g):
        out = np.zeros(shape, np.float32)
        out[key] = g
        return out

    shape = a.array.shape
    return record(a.array[key], (a,), (put,))


Tensor.__add__, Tensor.__mul__, Tensor.__matmul__, Tensor.sum, Tensor.backward = add, mul, matmul, sum_all, backward
Tensor.__sub__ = lambda a, b: a + as_tensor(b) * -1
Tensor.__getitem__ = get
Tensor.fill_, Tensor.mul_, Tensor.add_ = in_place(fill), in_place(mul), in_place(add)
# endregion


# region: as-torch-does
def cleared(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    h.fill_(0.0)
    h.sum().backward()
    return a.grad.tolist()


def scaled(tensor):
    a, w = tensor([3.0, 4.0], requires_grad=True), tensor(10.0, requires_grad=True)
    h = a * 2.0
    h.mul_(w)  # the formula for w needs the old h
    h.sum().backward()
    return a.grad.tolist(), w.grad.tolist()


def leaf(tensor):
    try:
        tensor([3.0], requires_grad=True).mul_(2.0)
    except RuntimeError as error:
        return str(error)


for trial in cleared, scaled, leaf:
    print(trial(Tensor) == trial(torch.tensor), trial(Tensor))
#> True [0.0, 0.0]
#> True ([20.0, 20.0], 14.0)
#> True a leaf Variable that requires grad is being used in an in-place operation.
# endregion


# region: trouble
def unnoticed(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 1.0
    loss = (h * h).sum()
    h[:1].fill_(1000.0)
    try:
        loss.backward()
        return a.grad.tolist()
    except RuntimeError as error:
        return str(error).partition(":")[0]


def through_a_window(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    h[1:].mul_(10.0)
    h.sum().backward()
    return a.grad.tolist()


for trial in unnoticed, through_a_window:
    print(trial(Tensor))
    print(trial(torch.tensor))
#> [2000.0, 8.0]
#> one of the variables needed for gradient computation has been modified by an inplace operation
#> [2.0, 2.0]
#> [2.0, 20.0]
# endregion
