"""Two breadth-first walks without counting, and both are wrong."""

import torch


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


# region: every-arrival
def every_arrival(root):
    root.grad, queue = 1.0, [root]
    while queue:
        value = queue.pop(0)  # the one that has waited longest
        for parent, rule in zip(value.parents, value.rules):
            parent.grad += rule(value.grad)
            queue.append(parent)
# endregion


# region: only-once
def only_once(root):
    root.grad, queue, done = 1.0, [root], set()
    while queue:
        value = queue.pop(0)
        if value not in done:
            done.add(value)
            for parent, rule in zip(value.parents, value.rules):
                parent.grad += rule(value.grad)
                queue.append(parent)
# endregion


def leaf(number):
    return torch.tensor(number, requires_grad=True)


# region: diamond
def diamond(number):
    w = number(2.0)
    h = w * w
    return w, h * number(3.0) + h * number(5.0)


w, loss = diamond(Value)
every_arrival(loss)
print("every arrival:", w.grad)
#> every arrival: 64.0
w, loss = diamond(leaf)
loss.backward()
print("PyTorch:", w.grad.item())
#> PyTorch: 32.0
# endregion


# region: skip
def skip(number):
    w = number(2.0)
    h = w * w
    return w, h + h * number(3.0) * number(5.0)


w, loss = skip(Value)
only_once(loss)
print("only once:", w.grad)
#> only once: 4.0
w, loss = skip(leaf)
loss.backward()
print("PyTorch:", w.grad.item())
#> PyTorch: 64.0
# endregion
