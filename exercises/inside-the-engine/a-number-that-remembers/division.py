"""`Value` can divide, and `h / k` has the right value. But its two rules are wrong, so the gradients are wrong as well.

Write both rules, so that for h = 3 and k = 4 the gradients are 0.25 and −0.1875.
"""
# exercise: write
# covers: engine-v01.sub-mul-div
# about: inside-the-engine/a-number-that-remembers.md#what-must-a-number-remember
# hint: Estimate both derivatives with a finite difference, at h = 3 and k = 4, before you look for the formulas.
# hint: $h / k$ is $h \cdot k^{-1}$, and the derivative of $k^{-1}$ is $-k^{-2}$.

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

    def __truediv__(self, other):
        rules = (lambda g: g, lambda g: g)
        return Value(self.data / other.data, (self, other), rules)

    def backward(self, g=1.0):
        self.grad += g
        for parent, rule in zip(self.parents, self.rules):
            parent.backward(rule(g))


h, k = Value(3.0), Value(4.0)
y = h / k
y.backward()
print(h.grad, k.grad)

# %% solution
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# +         rules = (lambda g: g / other.data, lambda g: -g * self.data / other.data**2)

# %% right: with the result
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# -         return Value(self.data / other.data, (self, other), rules)
# +         y = self.data / other.data
# +         rules = (lambda g: g / other.data, lambda g: -g * y / other.data)
# +         return Value(y, (self, other), rules)

# %% check
def _gradients(_h, _k, _g):
    _a, _b = Value(_h), Value(_k)
    (_a / _b * Value(_g)).backward()
    return _a.grad, _b.grad


assert (Value(5.0) / Value(4.0)).data == 1.25, "5 / 4 isn't 1.25 any more. The value was right, so change only the rules."
_finite = ((5.001 / 4 - 4.999 / 4) / 0.002, (5 / 4.001 - 5 / 3.999) / 0.002)
_first, _second = _gradients(5.0, 4.0, 1.0)
assert (_first, _second) != (1.0, 1.0), "Both rules still return `g` itself, which is right for a sum. A quotient changes by another amount than `h` or `k` do."
assert _second < 0 or _first > 1, "A larger divisor makes the quotient smaller, so the derivative with respect to `k` is negative. Yours is positive."
assert abs(_first - _finite[0]) < 1e-3, f"For 5 / 4, a finite difference of `h` gives {_finite[0]:.4f}, and your first rule gives {_first:.4f}."
assert abs(_second - _finite[1]) < 1e-3, f"For 5 / 4, a finite difference of `k` gives {_finite[1]:.4f}, and your second rule gives {_second:.4f}."
_first, _second = _gradients(5.0, 4.0, 3.0)
assert abs(_first - 3 * _finite[0]) < 1e-3 and abs(_second - 3 * _finite[1]) < 1e-3, "The rules are right only if `g` is 1. A rule should return the upstream gradient `g` times the derivative."

# %% wrong: the rule for a product
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# +         rules = (lambda g: g * other.data, lambda g: g * self.data)

# %% wrong: the sign
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# +         rules = (lambda g: g / other.data, lambda g: g * self.data / other.data**2)

# %% wrong: divided once
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# +         rules = (lambda g: g / other.data, lambda g: -g * self.data / other.data)

# %% wrong: without g
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# +         rules = (lambda g: 1 / other.data, lambda g: -self.data / other.data**2)

# %% wrong: a remainder
#       def __truediv__(self, other):
# -         rules = (lambda g: g, lambda g: g)
# -         return Value(self.data / other.data, (self, other), rules)
# +         rules = (lambda g: g / other.data, lambda g: -g * self.data / other.data**2)
# +         return Value(self.data // other.data, (self, other), rules)
