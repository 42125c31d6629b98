"""A walk that gives each number one turn, but doesn't wait until its gradient is complete."""


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


# region: hasty
def hasty(root):
    root.grad, ready, done = 1.0, [root], set()
    while ready:
        value = ready.pop()
        if value in done:
            continue
        done.add(value)
        for parent, rule in zip(value.parents, value.rules):
            parent.grad += rule(value.grad)
            ready.append(parent)


w = Value(3.0)
h = w * w
hasty(h * h + h)
print(w.grad)
#> 6.0
# endregion
