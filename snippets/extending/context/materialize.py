"""With `set_materialize_grads(False)`, `backward` receives `None` for an output that isn't used."""

import torch


class TwoTimes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, grad_first, grad_second):
        print("arrived:", grad_first, grad_second)
        return grad_first * 2 + grad_second * 3


class TwoTimesNone(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, grad_first, grad_second):
        print("arrived:", grad_first, grad_second)
        grad = None
        if grad_first is not None:
            grad = grad_first * 2
        if grad_second is not None:
            grad = grad_second * 3 if grad is None else grad + grad_second * 3
        return grad


x = torch.tensor([1.0, 1.0], requires_grad=True)

first, second = TwoTimes.apply(x)
second.sum().backward()
#> arrived: tensor([0., 0.]) tensor([1., 1.])
print(x.grad)
#> tensor([3., 3.])

x.grad = None
first, second = TwoTimesNone.apply(x)
second.sum().backward()
#> arrived: None tensor([1., 1.])
print(x.grad)
#> tensor([3., 3.])


# A backward that doesn't expect None falls over.
class Careless(TwoTimesNone):
    @staticmethod
    def backward(ctx, grad_first, grad_second):
        return grad_first * 2 + grad_second * 3


first, second = Careless.apply(x)
second.sum().backward()
#! TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'
