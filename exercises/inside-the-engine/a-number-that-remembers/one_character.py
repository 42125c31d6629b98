"""This engine trains, and ends at a loss that is too high. One character is missing in it. Repair it."""
# exercise: repair
# covers: engine-v01.leaf
# about: inside-the-engine/a-number-that-remembers.md#does-it-agree-with-pytorch
# hint: How often is `w` used in one round, and how many shares arrive at it?
# hint: Try the engine on $h \cdot h$ with a plain number for `h`. What should `h.grad` be?

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
assert _h.grad != 3.0, "The slope of `h * h` at 3 is 6, and `h.grad` says 3. Two shares arrive; what becomes of the first?"
assert _h.grad == 6.0, f"The slope of `h * h` at 3 is 6, and `h.grad` says {_h.grad}."
_h = Value(3.0)
_k = _h * _h
(_k * _k).backward()
assert _h.grad == 108.0, f"`h * h` comes out right. But the slope of its square at 3 is 108, and here it's {_h.grad}. Each share is passed on once; is anything passed on twice?"
assert abs(loss.data - 0.025) < 1e-3, f"The gradients are right, and the loss ends at {loss.data:.4f} instead of 0.0250. Is the training still the one from the start?"

# %% wrong: the rules count as well
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
