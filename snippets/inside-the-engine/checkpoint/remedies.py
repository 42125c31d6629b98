"""Three remedies for a recursion that is too deep, tried on a long chain and on a fork."""
# covers: engine-v01.backward-loop

import sys


class Value:
    def __init__(self, data, parents=(), rules=()):
        self.data, self.grad = data, 0.0
        self.parents, self.rules = parents, rules

    def __add__(self, other):
        rules = (lambda g: g, lambda g: g)
        return Value(self.data + other.data, (self, other), rules)

    def __mul__(self, other):
        rules = (lambda g: g * other.data, lambda g: g * self.data)
        return Value(self.data * other.data, (self, other), rules)


def recursive(value, g=1.0):
    value.grad += g
    for parent, rule in zip(value.parents, value.rules):
        recursive(parent, rule(g))


# region: remedies
def deeper(root):  # the same recursion, with a higher limit
    sys.setrecursionlimit(3_000)
    recursive(root)


def listed(root):  # a list in place of the recursion, and one turn for each number
    root.grad, ready, done = 1.0, [root], set()
    while ready:
        value = ready.pop()
        if value not in done:
            done.add(value)
            for parent, rule in zip(value.parents, value.rules):
                parent.grad += rule(value.grad)
                ready.append(parent)


def counted(root):  # a list, and a count of the contributions that are still missing
    waits, stack = {}, [root]
    while stack:
        for parent in stack.pop().parents:
            waits[parent] = waits.get(parent, 0) + 1
            if waits[parent] == 1:
                stack.append(parent)
    root.grad, ready = 1.0, [root]
    while ready:
        value = ready.pop()
        for parent, rule in zip(value.parents, value.rules):
            parent.grad += rule(value.grad)
            waits[parent] -= 1
            if waits[parent] == 0:
                ready.append(parent)


def passes(remedy):
    chain = [Value(1.0)]  # with a list, Python can free the chain one number after the other
    for _ in range(20_000):
        chain.append(chain[-1] + Value(1.0))
    w = Value(3.0)
    h = w * w
    try:
        remedy(chain[-1])
        remedy(h * h + h)
    except RecursionError:
        return False
    return (chain[0].grad, w.grad) == (1.0, 4 * 27.0 + 2 * 3.0)


print(*[remedy.__name__ for remedy in (deeper, listed, counted) if passes(remedy)])
#> counted
# endregion
