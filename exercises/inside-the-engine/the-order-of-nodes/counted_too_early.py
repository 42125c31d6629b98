"""This engine counts while it computes. If you compute something else from `h`, such as `looked_at`, `w` gets no gradient.

Repair the engine, so that `w.grad` is 114. Leave the program below it as it is.
"""
# exercise: repair
# covers: engine-v01.backward-loop
# about: inside-the-engine/the-order-of-nodes.md#wait-for-the-last-share
# hint: `h` waits for four contributions, but `looked_at` never sends one, because it doesn't lead to `y`.
# hint: Start at `y` and walk to the parents. A number that you don't meet sends nothing.

# %% start
class Value:
    def __init__(self, data, parents=(), rules=()):
        self.data, self.grad, self.waits = data, 0.0, 0
        self.parents, self.rules = parents, rules
        for parent in parents:
            parent.waits += 1

    def __add__(self, other):
        rules = (lambda g: g, lambda g: g)
        return Value(self.data + other.data, (self, other), rules)

    def __mul__(self, other):
        rules = (lambda g: g * other.data, lambda g: g * self.data)
        return Value(self.data * other.data, (self, other), rules)

    def backward(self):
        self.grad, ready = 1.0, [self]
        while ready:
            value = ready.pop()
            for parent, rule in zip(value.parents, value.rules):
                parent.grad += rule(value.grad)
                parent.waits -= 1
                if parent.waits == 0:
                    ready.append(parent)


w = Value(3.0)
h = w * w
looked_at = h * Value(100.0)  # to see it in percent
y = h * h + h
y.backward()
print(w.grad)

# %% solution
#           self.parents, self.rules = parents, rules
# -         for parent in parents:
# -             parent.waits += 1

#       def backward(self):
# +         stack = [self]
# +         while stack:
# +             for parent in stack.pop().parents:
# +                 parent.waits += 1
# +                 if parent.waits == 1:
# +                     stack.append(parent)

# %% check
def _slope(_look):
    _w = Value(3.0)
    _k = _w + Value(0.0)
    _h = _k * _k
    if _look:
        _h * Value(100.0)
    (_h * _h + _h).backward()
    return _w.grad


assert "looked_at" in globals(), "The gradient is right, because the line with `looked_at` is gone. Put it back and repair the engine."
_plain, _looked = _slope(False), _slope(True)
assert _plain != 0.0, "Without `looked_at` as well, no gradient arrives at `w` now. It waits for more contributions than are sent."
assert _plain == 114.0, f"Without `looked_at` the gradient should be 114, and your engine computes {_plain}. `h` passes its gradient on before its last contribution has arrived."
assert _looked == 114.0, f"The gradient should be 114, and the engine computes {_looked} if something else was computed from `h`. That use sends no contribution."

# %% wrong: without the line
# - looked_at = h * Value(100.0)  # to see it in percent

# %% wrong: go on with one contribution missing
# -                 if parent.waits == 0:
# +                 if parent.waits <= 1:

# %% wrong: walk every path instead of every number
#           self.parents, self.rules = parents, rules
# -         for parent in parents:
# -             parent.waits += 1

#       def backward(self):
# +         stack = [self]
# +         while stack:
# +             for parent in stack.pop().parents:
# +                 parent.waits += 1
# +                 stack.append(parent)
