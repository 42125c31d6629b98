"""Step 9: modules, an optimizer, and a network that learns."""

from heapq import heappop, heappush
from itertools import count
from types import SimpleNamespace

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
        return x

    return unpack


def names_of(function):
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def rule(formula, given):
    kept = [save(given[name]) for name in names_of(formula)[1:]]
    return lambda g: formula(g, *[unpack() for unpack in kept])


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
        self.number = 10**9 + next(clock)

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


class set_grad_enabled:
    on = True

    def __init__(self, on):
        self.before, set_grad_enabled.on = set_grad_enabled.on, on

    def __enter__(self):
        return self

    def __exit__(self, *error):
        set_grad_enabled.on = self.before


def operation(forward, **formulas):
    def call(*args):
        out = Tensor(forward(*map(array_of, args)))
        given = dict(zip(names_of(forward), args), shape=args[0].array.shape)
        nodes = [edge(given[name]) for name in formulas]
        if set_grad_enabled.on and any(nodes):
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


def summed_to(array, to):
    while array.ndim > len(to):
        array = array.sum(0)
    for dim, n in enumerate(to):
        if n == 1:
            array = array.sum(dim, keepdims=True)
    return array


def put_into_zeros(array, places, to):
    out = np.zeros(to, np.float32)
    out.reshape(-1)[places] = array
    return out


def cleared(array, places):
    out = array.copy()
    out.reshape(-1)[places] = 0
    return out


expand = operation(lambda self, to: np.broadcast_to(self, to),
    self=lambda g, shape: sum_to(g, shape))
sum_to = operation(summed_to, array=lambda g, shape: expand(g, shape))
read = operation(lambda self, places: self.reshape(-1)[places],
    self=lambda g, places, shape: put(g, places, shape))
put = operation(put_into_zeros, array=lambda g, places: read(g, places))
clear = operation(cleared, array=lambda g, places: clear(g, places))
Tensor.sum = operation(lambda self: self.sum(),
    self=lambda g, shape: expand(g, shape))


def unbroadcast(g, shape):
    return g if g.array.shape == shape else sum_to(g, shape)


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
        inside = node.rules[0](read(g, places))
        return clear(g, places) + put(inside, places, base.array.shape)

    def to_other(rule):
        return lambda g: rule(read(g, places))

    others = map(to_other, node.rules[1:])
    nodes = [edge(base), *node.next_functions[1:]]
    return Node(nodes, [to_base, *others], [base.array.shape, *node.shapes[1:]])


LEAF = "leaf Variable that requires grad is being used in an in-place operation."


def in_place(operation):
    def changed(self, other):
        base = self if self.base is None else self.base
        if set_grad_enabled.on and base.requires_grad and base.grad_fn is None:
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


def run(root, create_graph=False, wanted=None):
    waits, stack = {}, [root.grad_fn]
    while stack:
        for node in filter(None, stack.pop().next_functions):
            waits[node] = waits.get(node, 0) + 1
            if waits[node] == 1:
                stack.append(node)
    arrived = {root.grad_fn: Tensor(np.ones_like(root.array))}
    ready = [(-root.grad_fn.number, root.grad_fn)]
    with set_grad_enabled(create_graph):
        while ready:
            node = heappop(ready)[1]
            g = arrived.pop(node)
            for hook in node.hooks:
                changed = hook(g)
                g = g if changed is None else changed
            if node is wanted:
                return g
            if wanted and isinstance(node, AccumulateGrad):
                continue
            for target, share in zip(node.next_functions, node.apply(g)):
                if target:
                    before = arrived.get(target)
                    arrived[target] = share if before is None else before + share
                    waits[target] -= 1
                    if waits[target] == 0:
                        heappush(ready, (-target.number, target))


def grad(output, input, create_graph=False):
    return (run(output, create_graph, edge(input)),)


Tensor.backward = lambda self: run(self)
Tensor.register_hook = lambda self, hook: edge(self).hooks.append(hook)
Tensor.tolist = lambda self: self.array.tolist()


# region: module
class Parameter(Tensor):
    def __init__(self, data):
        super().__init__(data, requires_grad=True)


class Module:
    def __call__(self, x):
        return self.forward(x)

    def parameters(self):
        for value in vars(self).values():
            if isinstance(value, Parameter):
                yield value
            elif isinstance(value, Module):
                yield from value.parameters()
# endregion


# region: layers
random = np.random.RandomState(0)  # a Mersenne twister, as PyTorch has


def uniform(shape, bound):
    fractions = (random.randint(0, 2**32, shape, np.uint32) & 0xFFFFFF) / 2**24
    return fractions * 2 * bound - bound


class Linear(Module):
    def __init__(self, inputs, outputs):
        self.weight = Parameter(uniform((outputs, inputs), inputs**-0.5))
        self.bias = Parameter(uniform(outputs, inputs**-0.5))

    def forward(self, x):
        return x @ self.weight.T + self.bias


positive = operation(lambda self: self > 0)  # a step: no formula, no gradient
Tensor.relu = operation(lambda self: np.maximum(self, 0),
    self=lambda g, self: g * positive(self))


class SGD:
    def __init__(self, parameters, lr):
        self.parameters, self.lr = list(parameters), lr

    def zero_grad(self):
        for parameter in self.parameters:
            parameter.grad = None

    def step(self):
        with set_grad_enabled(False):
            for parameter in self.parameters:
                parameter.add_(parameter.grad * -self.lr)
# endregion


# region: on-both-engines
def train(nn, SGD, tensor):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden, self.out = nn.Linear(2, 16), nn.Linear(16, 1)

        def forward(self, x):
            return self.out(self.hidden(x).relu())

    points = [[x / 4, y / 4] for x in range(-4, 5) for y in range(-4, 5)]
    inside = [[float(x * x + y * y < 0.5)] for x, y in points]
    x, wanted, net = tensor(points), tensor(inside), Net()
    optimizer, losses = SGD(net.parameters(), lr=0.25), []
    for step in range(301):
        error = net(x) - wanted
        loss = (error * error).sum() * (1 / len(points))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.tolist())
        if step in (0, 10, 100, 300):
            print(step, round(losses[-1], 3))
    answers = zip(net(x).tolist(), inside)
    right = sum((got > 0.5) == (want > 0.5) for (got,), (want,) in answers)
    print(right, "of", len(points))
    return losses


ours = train(SimpleNamespace(Module=Module, Linear=Linear), SGD, Tensor)
#> 0 0.219
#> 10 0.178
#> 100 0.071
#> 300 0.063
#> 81 of 81
torch.manual_seed(0)
theirs = train(torch.nn, torch.optim.SGD, torch.tensor)
#> 0 0.219
#> 10 0.178
#> 100 0.071
#> 300 0.063
#> 81 of 81
# endregion

# region: trouble
for tensor in Tensor, torch.tensor:
    a = tensor(3.0, requires_grad=True)
    y = a * a
    y.backward()
    try:
        y.backward()
        print(a.grad.tolist())
    except RuntimeError as error:
        print(str(error).partition(" (")[0])
#> 12.0
#> Trying to backward through the graph a second time
# endregion
