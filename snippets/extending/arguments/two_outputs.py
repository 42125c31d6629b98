"""`backward` receives one gradient for each result of `forward`, in the same order."""
# covers: function.backward-arg-count

import torch


class SumAndDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b, a - b

    @staticmethod
    def backward(ctx, grad_sum, grad_difference):
        print("arrived:", grad_sum, grad_difference)
        return grad_sum + grad_difference, grad_sum - grad_difference


a = torch.tensor([5.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)

s, d = SumAndDifference.apply(a, b)
(s * 10 + d).backward()
#> arrived: tensor([10.]) tensor([1.])
print(a.grad, b.grad)
#> tensor([11.]) tensor([9.])

# An output that nothing was made of counts too: its gradient is zero.
s, d = SumAndDifference.apply(a, b)
s.backward()
#> arrived: tensor([1.]) tensor([0.])
