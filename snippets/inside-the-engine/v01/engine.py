"""The engine of PyTorch 0.1 in sixty lines of Python: Variable, Function, Leaf and a ready list."""
# covers: engine-v01.function-class engine-v01.forward-sub engine-v01.backward-loop engine-v01.leaf engine-v01.sub-mul-div

# region: engine
class Function:
    def __call__(self, *inputs):
        values = [v.data for v in inputs]
        self.needs_input_grad = [v.requires_grad for v in inputs]
        self.requires_grad = any(self.needs_input_grad)
        self.previous_functions = [v.creator for v in inputs]
        return Variable(self.forward(*values), creator=self, requires_grad=self.requires_grad)


class Leaf(Function):
    def __init__(self, variable):
        self.variable, self.requires_grad, self.previous_functions = variable, variable.requires_grad, []

    def backward(self, grad):
        for hook in self.variable.hooks:
            hook(grad)
        self.variable.grad += grad
        return ()


class Sub(Function):
    def forward(self, a, b):
        return a - b

    def backward(self, grad):
        return grad, -grad


class Mul(Function):
    def forward(self, a, b):
        self.a, self.b = a, b
        return a * b

    def backward(self, grad):
        return grad * self.b, grad * self.a


class Div(Function):
    def forward(self, a, b):
        self.a, self.b = a, b
        return a / b

    def backward(self, grad):
        return grad / self.b, -grad * self.a / self.b / self.b


class Variable:
    def __init__(self, data, creator=None, requires_grad=False):
        self.data, self.requires_grad, self.grad, self.hooks = data, requires_grad, 0.0, []
        self.creator = creator or Leaf(self)

    def __sub__(self, other):
        return Sub()(self, other)

    def __mul__(self, other):
        return Mul()(self, other)

    def __truediv__(self, other):
        return Div()(self, other)

    def backward(self):
        dependencies, seen, stack = {}, {self.creator}, [self.creator]
        while stack:
            for previous in stack.pop().previous_functions:
                if previous.requires_grad:
                    dependencies[previous] = dependencies.get(previous, 0) + 1
                    if previous not in seen:
                        seen.add(previous)
                        stack.append(previous)
        waiting, ready = {}, [(self.creator, 1.0)]
        while ready:
            function, grad = ready.pop()
            for previous, g in zip(function.previous_functions, function.backward(grad)):
                if not previous.requires_grad:
                    continue
                waiting[previous] = waiting.get(previous, 0.0) + g
                dependencies[previous] -= 1
                if dependencies[previous] == 0:
                    ready.append((previous, waiting.pop(previous)))
# endregion


# region: numbers
a, b = Variable(3.0, requires_grad=True), Variable(4.0, requires_grad=True)
y = (a * b - a) / b
y.backward()
print(y.data, a.grad, b.grad)
#> 2.25 0.75 0.1875
# endregion

# region: order
def announced(name, variable):
    """Let the function that made `variable` say when it runs."""
    run = variable.creator.backward
    variable.creator.backward = lambda grad: print(name) or run(grad)
    return variable


x = Variable(1.0, requires_grad=True)
a = announced("a", x * Variable(2.0))
b = announced("b", x * Variable(3.0))
a2 = announced("a2", a * Variable(4.0))
b2 = announced("b2", b * Variable(5.0))
(a2 - b2).backward()
#> b2
#> b
#> a2
#> a
# endregion
