"""Step 7: hooks, and an order of the nodes that hooks make visible."""

from heapq import heappop, heappush
from itertools import count

import numpy as np
import torch


class Tensor:
    def __init__(self, data, requires_grad=False):
        self.array = np.asarray(data, np.float32)
        self.counter = [0]
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
        if self.base is not None and self.seen != self.version:
            self._grad_fn = read(self.base, self.places).grad_fn
            self.seen = self.version
        return self._grad_fn

    @grad_fn.setter
    def grad_fn(self, node):
        self._grad_fn = node


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
clock = count()


class Node:
    def __init__(self, next_functions, rules, shapes):
        self.next_functions, self.rules, self.shapes = next_functions, rules, shapes
        self.number, self.hooks = next(clock), []

    def apply(self, g):
        each = zip(self.next_functions, self.rules, self.shapes)
        return [node and unbroadcast(rule(g), shape) for node, rule, shape in each]


class AccumulateGrad:
    next_functions = ()

    def __init__(self, leaf):
        self.leaf, self.hooks = leaf, []
        self.number = 10**9 + next(clock)  # a leaf goes before all operations

    def apply(self, g):
        self.leaf.grad = g if self.leaf.grad is None else self.leaf.grad + g
        return ()
# endregion


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
        out.array = how(source.array, *args)
        out.counter = source.counter
        out.base = source if source.base is None else source.base
        out.places = how(numbers if source.base is None else source.places, *args)
        out.seen = out.version
        return out

    return call


Tensor.__getitem__ = view(lambda array, key: array[key, ...])
Tensor.T = property(view(lambda array: array.T))


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
        self.counter[0] += 1
        return self

    return changed


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


# region: backward
def backward(root):
    waits, stack = {}, [root.grad_fn]
    while stack:
        for node in filter(None, stack.pop().next_functions):
            waits[node] = waits.get(node, 0) + 1
            if waits[node] == 1:
                stack.append(node)
    arrived = {root.grad_fn: np.ones_like(root.array)}
    ready = [(-root.grad_fn.number, root.grad_fn)]
    while ready:
        node = heappop(ready)[1]  # of those that are ready, the one recorded last
        g = arrived.pop(node)
        for hook in node.hooks:
            changed = hook(g)
            g = g if changed is None else changed
        for target, share in zip(node.next_functions, node.apply(g)):
            if target:
                before = arrived.get(target)
                arrived[target] = share if before is None else before + share
                waits[target] -= 1
                if waits[target] == 0:
                    heappush(ready, (-target.number, target))


Tensor.backward = backward
Tensor.register_hook = lambda self, hook: edge(self).hooks.append(hook)
# endregion


# region: on-both-engines
def looked_at(tensor):
    a, seen = tensor([3.0, 4.0], requires_grad=True), []
    h = a * 2.0
    h.register_hook(lambda g: seen.append(g.tolist()))
    (h * 3.0 + h * 5.0).sum().backward()
    return seen


def halved(tensor):
    a = tensor([3.0, 4.0], requires_grad=True)
    h = a * 2.0
    h.register_hook(lambda g: g * 0.5)  # takes the place of what it saw
    (h * 3.0 + h * 5.0).sum().backward()
    return a.grad.tolist()


def in_order(tensor):
    a, order = tensor(1.0, requires_grad=True), []
    b, c = a * 2.0, a * 3.0
    b2, c2 = b * 4.0, c * 5.0
    for name, t in {"a": a, "b": b, "c": c, "b2": b2, "c2": c2}.items():
        t.register_hook(lambda g, name=name: order.append(name))
    (b2 + c2).backward()
    return order


for trial in looked_at, halved, in_order:
    print(trial(Tensor))
    print(trial(torch.tensor))
#> [[8.0, 8.0]]
#> [[8.0, 8.0]]
#> [8.0, 8.0]
#> [8.0, 8.0]
#> ['c2', 'b2', 'c', 'b', 'a']
#> ['c2', 'b2', 'c', 'b', 'a']
# endregion

# region: trouble
a = Tensor(3.0, requires_grad=True)
(a * a * a).backward()
print(type(a.grad).__name__, a.grad)
#> float32 27.0
try:
    a.grad.backward()
except AttributeError as error:
    print(error)
#> 'numpy.float32' object has no attribute 'backward'

a = torch.tensor(3.0, requires_grad=True)
(slope,) = torch.autograd.grad(a * a * a, a, create_graph=True)
slope.backward()
print(slope.item(), a.grad.item())
#> 27.0 18.0
# endregion
