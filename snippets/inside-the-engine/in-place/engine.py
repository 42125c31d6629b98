"""Step 5: nodes apart from tensors, so that a tensor can get a new history."""

import numpy as np
import torch


# region: tensor
class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array, self.version = np.asarray(data, np.float32), 0
        self.wants_grad, self.grad = requires_grad, None
        self.grad_fn = self.accumulator = None

    @property
    def requires_grad(self):
        return self.wants_grad or self.grad_fn is not None
# endregion


def array_of(x):
    return x.array if isinstance(x, Tensor) else x


MODIFIED = (
    "one of the variables needed for gradient computation has been modified "
    "by an inplace operation: it is at version {}; expected version {} instead"
)


def save(x):
    then = getattr(x, "version", 0)

    def unpack():
        if getattr(x, "version", 0) != then:
            raise RuntimeError(MODIFIED.format(x.version, then))
        return array_of(x)

    return unpack


def names_of(function):
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def rule(formula, given):
    kept = [save(given[name]) for name in names_of(formula)[1:]]
    return lambda g: formula(g, *[unpack() for unpack in kept])


# region: node
class Node:
    def __init__(self, next_functions, rules, shapes):
        self.next_functions, self.rules, self.shapes = next_functions, rules, shapes

    def apply(self, g):
        each = zip(self.next_functions, self.rules, self.shapes)
        return [node and unbroadcast(rule(g), shape) for node, rule, shape in each]


class AccumulateGrad:
    next_functions = ()

    def __init__(self, leaf):
        self.leaf = leaf

    def apply(self, g):
        self.leaf.grad = g if self.leaf.grad is None else self.leaf.grad + g
        return ()


def edge(x):
    """The node to which a gradient for x goes; None if x wants none."""
    if not getattr(x, "requires_grad", False):
        return None
    if x.grad_fn is None:
        x.accumulator = x.accumulator or AccumulateGrad(x)  # one for each leaf
    return x.grad_fn or x.accumulator


def operation(forward, **formulas):
    def call(*args):
        out = Tensor(forward(*map(array_of, args)))
        given = dict(zip(names_of(forward), args), shape=args[0].array.shape)
        nodes = [edge(given[name]) for name in formulas]
        if any(nodes):
            wanted = zip(formulas.values(), nodes)
            rules = [node and rule(formula, given) for formula, node in wanted]
            shapes = [np.shape(array_of(given[name])) for name in formulas]
            out.grad_fn = Node(nodes, rules, shapes)
        return out

    return call
# endregion


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


Tensor.add_, Tensor.mul_ = in_place(Tensor.__add__), in_place(Tensor.__mul__)
Tensor.fill_ = in_place(operation(lambda self, number: np.full_like(self, number),
    self=lambda g: g * 0))
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
        for node in filter(None, stack.pop().next_functions):
            waits[node] = waits.get(node, 0) + 1
            if waits[node] == 1:
                stack.append(node)
    arrived, ready = {root.grad_fn: np.ones_like(root.array)}, [root.grad_fn]
    while ready:
        node = ready.pop()
        for target, share in zip(node.next_functions, node.apply(arrived.pop(node))):
            if target:
                before = arrived.get(target)
                arrived[target] = share if before is None else before + share
                waits[target] -= 1
                if waits[target] == 0:
                    ready.append(target)


Tensor.backward = backward
# endregion


# region: slices
def put(g, key, shape):
    out = np.zeros(shape, np.float32)
    out[key] = g
    return out


Tensor.__getitem__ = operation(lambda self, key: self[key],
    self=lambda g, key, shape: put(g, key, shape))
# endregion


# region: on-both-engines
def cleared(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    h.fill_(0.0)
    h.sum().backward()
    return a.grad.tolist()


def scaled(tensor):
    a, w = tensor([3.0, 4.0], requires_grad=True), tensor(10.0, requires_grad=True)
    h = a * 2.0
    h.mul_(w)  # the gradient of w needs the h from before
    h.sum().backward()
    return a.grad.tolist(), w.grad.tolist()


def leaf(tensor):
    try:
        tensor([3.0], requires_grad=True).mul_(2.0)
    except RuntimeError as error:
        return str(error)


for trial in cleared, scaled, leaf:
    print(trial(Tensor))
    print(trial(torch.tensor))
#> [0.0, 0.0]
#> [0.0, 0.0]
#> ([20.0, 20.0], 14.0)
#> ([20.0, 20.0], 14.0)
#> a leaf Variable that requires grad is being used in an in-place operation.
#> a leaf Variable that requires grad is being used in an in-place operation.
# endregion


# region: trouble
def through_a_window(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    h[1:].mul_(10.0)
    h.sum().backward()
    return a.grad.tolist()


print(through_a_window(Tensor))
#> [2.0, 2.0]
print(through_a_window(torch.tensor))
#> [2.0, 20.0]
# endregion
