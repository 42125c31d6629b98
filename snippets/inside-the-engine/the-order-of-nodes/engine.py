"""Step 2: a value passes its gradient on when the last contribution has arrived."""

import numpy as np
import torch


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


# region: backward
def backward(root):
    waits, stack = {}, [root]
    while stack:  # count the contributions that each value will get
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
            if waits[parent] == 0:  # its gradient is complete
                ready.append(parent)


Value.backward = backward
# endregion


# region: on-both-engines
def leaf(number):
    return torch.tensor(number, requires_grad=True)


for number in Value, leaf:
    w = number(2.0)
    h = w * w
    (h * number(3.0) + h * number(5.0)).backward()  # a diamond
    x = y = number(1.0)
    for _ in range(16):
        y = y + y
    y.backward()
    start = end = number(1.0)
    for _ in range(1100):
        end = end + number(1.0)
    end.backward()
    print(float(w.grad), float(x.grad), float(start.grad))
#> 32.0 65536.0 1.0
#> 32.0 65536.0 1.0
# endregion

# region: trouble
x = Value(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
w = Value(np.array([1.0, 0.5, -1.0]))
(x * w).backward()
print(w.data.shape, w.grad.shape)
#> (3,) (2, 3)

x, w = torch.tensor(x.data), torch.tensor(w.data, requires_grad=True)
(x * w).sum().backward()
print(tuple(w.shape), tuple(w.grad.shape), w.grad.tolist())
#> (3,) (3,) [5.0, 7.0, 9.0]
# endregion
