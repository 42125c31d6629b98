"""Step 1: a number that remembers how it was computed."""

import torch


# region: value
class Value:
    def __init__(self, data, parents=(), rules=()):
        self.data, self.grad = data, 0.0
        self.parents, self.rules = parents, rules

    def __add__(self, other):
        rules = (lambda g: g, lambda g: g)
        return Value(self.data + other.data, (self, other), rules)

    def __sub__(self, other):
        rules = (lambda g: g, lambda g: -g)
        return Value(self.data - other.data, (self, other), rules)

    def __mul__(self, other):
        rules = (lambda g: g * other.data, lambda g: g * self.data)
        return Value(self.data * other.data, (self, other), rules)

    def backward(self, g=1.0):
        self.grad += g
        for parent, rule in zip(self.parents, self.rules):
            parent.backward(rule(g))
# endregion


# region: on-both-engines
def leaf(number):
    return torch.tensor(number, requires_grad=True)


for new_number in Value, leaf:  # first on this engine, then on PyTorch
    a, b = new_number(3.0), new_number(4.0)
    y = a * b - a
    y.backward()
    print(float(y.data), float(a.grad), float(b.grad))
#> 9.0 3.0 3.0
#> 9.0 3.0 3.0
# endregion

# region: training
brightness, labels = [0.0, 0.25, 0.75, 1.0], [0.0, 0.0, 1.0, 1.0]
for new_number in Value, leaf:
    w, b = new_number(0.0), new_number(0.0)
    for step in range(41):
        loss = new_number(0.0)
        for x, y in zip(brightness, labels):
            error = w * new_number(x) + b - new_number(y)
            loss = loss + error * error * new_number(0.25)
        loss.backward()
        if step % 20 == 0:
            print(step, *[round(float(v.data), 4) for v in (loss, w, b)])
        w = new_number(float(w.data - 0.5 * w.grad))
        b = new_number(float(b.data - 0.5 * b.grad))
#> 0 0.5 0.0 0.0
#> 20 0.0258 1.1291 -0.0596
#> 40 0.025 1.1947 -0.097
#> 0 0.5 0.0 0.0
#> 20 0.0258 1.1291 -0.0596
#> 40 0.025 1.1947 -0.097
# endregion

# region: trouble
class Counter(Value):
    calls = 0

    def backward(self, g=1.0):
        self.calls += 1
        super().backward(g)


x = y = Counter(1.0)
for _ in range(16):
    y = y + y
y.backward()
print(x.calls)
#> 65536

y = Value(1.0)
for _ in range(1100):
    y = y + Value(1.0)
try:
    y.backward()
except RecursionError as error:
    print(type(error).__name__)
#> RecursionError
# endregion
