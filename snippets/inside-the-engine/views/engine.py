"""Step 6: a view shares memory, version and history with its base."""

import numpy as np
import torch


# region: tensor
class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array = np.asarray(data, np.float32)
        self.counter = [0]  # a list, so that views can share it
        self.wants_grad, self.grad = requires_grad, None
        self._grad_fn = self.accumulator = self.base = None

    @property
    def requires_grad(self):
        return self.wants_grad or self.grad_fn is not None

    @property
    def version(self):
        return self.counter[0]

    @property
    def grad_fn(self):
        if self.base is not None and self.seen != self.version:  # out of date
            self._grad_fn = read(self.base, self.places).grad_fn
            self.seen = self.version
        return self._grad_fn

    @grad_fn.setter
    def grad_fn(self, node):
        self._grad_fn = node
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
        x.accumulator = x.accumulator or AccumulateGrad(x)
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


# region: view
def put(g, places, shape):
    out = np.zeros(shape, np.float32)
    out.reshape(-1)[places] = g
    return out


read = operation(lambda self, places: self.reshape(-1)[places],
    self=lambda g, places, shape: put(g, places, shape))


def view(how):
    def call(source, *args):
        numbers = np.arange(source.array.size).reshape(source.array.shape)
        out = read(source, how(numbers, *args))
        out.array = how(source.array, *args)  # no copy: the same memory
        out.counter = source.counter
        out.base = source if source.base is None else source.base
        out.places = how(numbers if source.base is None else source.places, *args)
        out.seen = out.version
        return out

    return call


Tensor.__getitem__ = view(lambda array, key: array[key, ...])
Tensor.T = property(view(lambda array: array.T))
# endregion


# region: in-place
def copy_slices(base, places, node):
    """The new last node of a base: `node` has changed its elements at `places`."""

    def to_base(g):
        out = g.copy()
        out.reshape(-1)[places] = node.rules[0](g.reshape(-1)[places])
        return out

    def to_other(rule):
        return lambda g: rule(g.reshape(-1)[places])

    others = map(to_other, node.rules[1:])
    nodes = [edge(base), *node.next_functions[1:]]
    return Node(nodes, [to_base, *others], [base.array.shape, *node.shapes[1:]])


LEAF = "leaf Variable that requires grad is being used in an in-place operation."


def in_place(operation):
    def changed(self, other):
        base = self if self.base is None else self.base
        if base.requires_grad and base.grad_fn is None:
            raise RuntimeError(("a " if base is self else "a view of a ") + LEAF)
        before = Tensor(self.array.copy())
        before.grad_fn = self.grad_fn
        result = operation(before, other)
        self.array[...] = result.array
        node = result.grad_fn
        if node and base is not self:
            node = copy_slices(base, self.places, node)
        base.grad_fn = node or base.grad_fn
        self.counter[0] += 1  # so every view of this base will attach itself anew
        return self

    return changed
# endregion


Tensor.add_, Tensor.mul_ = in_place(Tensor.__add__), in_place(Tensor.__mul__)
Tensor.fill_ = in_place(operation(lambda self, number: np.full_like(self, number),
    self=lambda g: g * 0))


def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for dim, n in enumerate(shape):
        if n == 1:
            g = g.sum(dim, keepdims=True)
    return g


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


# region: on-both-engines
def through_a_window(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    window = h[1:]
    window.mul_(10.0)
    (h.sum() + window.sum()).backward()  # both have a new history
    return a.grad.tolist()


def noticed(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 1.0
    loss = (h * h).sum()
    h[:1].fill_(1000.0)
    try:
        loss.backward()
    except RuntimeError as error:
        return str(error).partition(":")[0]


for trial in through_a_window, noticed:
    print(trial(Tensor))
    print(trial(torch.tensor))
#> [2.0, 40.0]
#> [2.0, 40.0]
#> one of the variables needed for gradient computation has been modified by an inplace operation
#> one of the variables needed for gradient computation has been modified by an inplace operation
# endregion


# region: trouble
def looked_at(tensor, look):
    a, seen = tensor([3.0, 4.0], requires_grad=True), []
    h = a * 2.0
    up, down = h * 3.0, h * 5.0
    look(h, (up, down), seen)
    (up + down).sum().backward()
    return seen


def wrap_the_rules(h, users, seen):
    def looking(rule):
        return lambda g: seen.append(rule(g).tolist()) or rule(g)

    for user in users:
        user.grad_fn.rules[0] = looking(user.grad_fn.rules[0])


print(looked_at(Tensor, wrap_the_rules))
#> [[5.0, 5.0], [3.0, 3.0]]
def hook(h, users, seen):
    h.register_hook(lambda g: seen.append(g.tolist()))


print(looked_at(torch.tensor, hook))
#> [[8.0, 8.0]]
# endregion
