"""In this engine of 2016, a sum has the right value, but passes no gradient on.

Write the `backward` of `Add`.
"""
# exercise: write
# covers: engine-v01.sub-mul-div
# about: inside-the-engine/v01.md#three-rules
# hint: If `a` grows by a little, `a + b` grows by the same amount, and so it does for `b`.
# hint: The loop pairs what `backward` returns with `previous_functions`, one gradient for each input.

# %% start
class Function:
    def __call__(self, *inputs):
        self.previous_functions = [v.creator for v in inputs]
        return Variable(self.forward(*[v.data for v in inputs]), creator=self)


class Leaf(Function):
    def __init__(self, variable):
        self.variable, self.previous_functions = variable, []

    def backward(self, grad):
        self.variable.grad += grad
        return ()


class Mul(Function):
    def forward(self, a, b):
        self.a, self.b = a, b
        return a * b

    def backward(self, grad):
        return grad * self.b, grad * self.a


class Add(Function):
    def forward(self, a, b):
        return a + b

    def backward(self, grad):
        return ()


class Variable:
    def __init__(self, data, creator=None):
        self.data, self.grad, self.creator = data, 0.0, creator or Leaf(self)

    def __mul__(self, other):
        return Mul()(self, other)

    def __add__(self, other):
        return Add()(self, other)

    def backward(self):
        missing, stack = {}, [self.creator]
        while stack:
            for previous in stack.pop().previous_functions:
                if previous not in missing:
                    stack.append(previous)
                missing[previous] = missing.get(previous, 0) + 1
        waiting, ready = {}, [(self.creator, 1.0)]
        while ready:
            function, grad = ready.pop()
            for previous, g in zip(function.previous_functions, function.backward(grad)):
                waiting[previous] = waiting.get(previous, 0.0) + g
                missing[previous] -= 1
                if missing[previous] == 0:
                    ready.append((previous, waiting.pop(previous)))


a, b = Variable(3.0), Variable(4.0)
y = a * b + a
y.backward()
print(y.data, a.grad, b.grad)

# %% solution
#   class Add(Function):
#       def forward(self, a, b):
#           return a + b
#
#       def backward(self, grad):
# -         return ()
# +         return grad, grad

# %% right: as a list
#   class Add(Function):
#       def forward(self, a, b):
#           return a + b
#
#       def backward(self, grad):
# -         return ()
# +         return [grad] * len(self.previous_functions)

# %% check
def _slopes(_weight):
    _c, _d = Variable(3.0), Variable(4.0)
    ((_c + _d) * Variable(_weight)).backward()
    return _c.grad, _d.grad


assert _slopes(1.0) != (0.0, 0.0), "Nothing arrives at the leaves. A sum has two inputs, so `backward` must return two gradients."
assert _slopes(1.0)[1] != 0.0, "The first input has its gradient, but the second has none."
assert _slopes(1.0) == (1.0, 1.0), "If one of the two inputs grows by 0.1, the sum grows by 0.1 as well, so both derivatives are 1."
assert _slopes(5.0) == (5.0, 5.0), "This is right if the upstream gradient is 1. If the sum is multiplied by 5, the upstream gradient is 5, and both inputs should receive 5."

# %% wrong: one gradient for two inputs
#   class Add(Function):
#       def forward(self, a, b):
#           return a + b
#
#       def backward(self, grad):
# -         return ()
# +         return (grad,)

# %% wrong: divided between the inputs
#   class Add(Function):
#       def forward(self, a, b):
#           return a + b
#
#       def backward(self, grad):
# -         return ()
# +         return grad / 2, grad / 2

# %% wrong: the derivative alone
#   class Add(Function):
#       def forward(self, a, b):
#           return a + b
#
#       def backward(self, grad):
# -         return ()
# +         return 1.0, 1.0
