"""This engine trains without an error, but its loss ends too high. One character is missing in the class `Value`.

Add it, so that the loss ends at 0.025.
"""
# exercise: repair
# covers: engine-v01.leaf
# about: inside-the-engine/a-number-that-remembers.md#does-it-agree-with-pytorch
# hint: `weight` is used four times in each step, so four contributions arrive at its `grad`.
# hint: Compute the gradient of $h \cdot h$ with `h = Value(3.0)`. It should be 6.

# %% start
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

    def backward(self, g=1.0):
        self.grad = g
        for parent, rule in zip(self.parents, self.rules):
            parent.backward(rule(g))


w, b = 0.0, 0.0
for step in range(41):
    weight, bias, loss = Value(w), Value(b), Value(0.0)
    for x, y in zip([0.0, 0.25, 0.75, 1.0], [0.0, 0.0, 1.0, 1.0]):
        error = weight * Value(x) + bias + Value(-y)
        loss = loss + error * error * Value(0.25)
    loss.backward()
    w, b = w - 0.5 * weight.grad, b - 0.5 * bias.grad
print(round(loss.data, 4), round(w, 4), round(b, 4))

# %% solution
# -         self.grad = g
# +         self.grad += g

# %% check
_h = Value(3.0)
(_h * _h).backward()
assert _h.grad != 3.0, "The derivative of `h * h` at 3 is 6, and `h.grad` is 3. Two contributions arrive, and the second one replaces the first."
assert _h.grad == 6.0, f"The derivative of `h * h` at 3 is 6, and `h.grad` is {_h.grad}. Each contribution should be added once, as it arrives."
_h = Value(3.0)
_k = _h * _h
(_k * _k).backward()
assert _h.grad == 108.0, f"The gradient of `h * h` is right. But for the square of `h * h` at 3 it should be 108, and it is {_h.grad}. Something that has been passed on already is passed on again."
assert abs(loss.data - 0.025) < 1e-3, f"The gradients are right, but the loss ends at {loss.data:.4f} instead of 0.0250. Train as the start does, with a learning rate of 0.5."

# %% wrong: the sum is passed on each time
# -         self.grad = g
# +         self.grad += g

# -             parent.backward(rule(g))
# +             parent.backward(rule(self.grad))

# %% wrong: twice as much, since there are two
# -         self.grad = g
# +         self.grad += 2 * g

# %% wrong: smaller steps too
# -         self.grad = g
# +         self.grad += g

# -     w, b = w - 0.5 * weight.grad, b - 0.5 * bias.grad
# +     w, b = w - 0.05 * weight.grad, b - 0.05 * bias.grad
