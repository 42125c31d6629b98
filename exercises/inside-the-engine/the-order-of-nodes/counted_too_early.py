"""This engine counts while it computes. As soon as you look at `h`, it finds no gradient. Repair the engine, and leave the program below it as it is."""
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


assert "looked_at" in globals(), "The gradient is right again, since nobody looks. Looking should do no harm: put the line back."
_plain, _looked = _slope(False), _slope(True)
assert _plain != 0.0, "Even if nobody looks at `h`, no gradient arrives at `w` now. For how many shares does it wait, and how many come?"
assert _plain == 114.0, f"If nobody looks at `h`, the slope is 114, and your engine finds {_plain}. Does `h` go on before its last share is in?"
assert _looked == 114.0, f"The slope is 114, and the engine finds {_looked} when somebody has computed something from `h`. Who sends that share?"

# %% wrong: nobody looks
# - looked_at = h * Value(100.0)  # to see it in percent

# %% wrong: go on with what is there
# -                 if parent.waits == 0:
# +                 if parent.waits <= 1:

# %% wrong: walk every way, not every number
#           self.parents, self.rules = parents, rules
# -         for parent in parents:
# -             parent.waits += 1

#       def backward(self):
# +         stack = [self]
# +         while stack:
# +             for parent in stack.pop().parents:
# +                 parent.waits += 1
# +                 stack.append(parent)
