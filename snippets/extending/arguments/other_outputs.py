"""`backward` receives a value for every output, even for a string or an output that isn't used."""
# covers: function.backward-arg-count

import torch


class Describe(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, "doubled", x * 3

    @staticmethod
    def backward(ctx, *grad_outputs):
        print(grad_outputs)
        return grad_outputs[0] * 2 + grad_outputs[2] * 3


x = torch.tensor([1.0], requires_grad=True)
double, word, triple = Describe.apply(x)
print(double, word)
#> tensor([2.], grad_fn=<DescribeBackward>) doubled
double.backward()
#> (tensor([1.]), None, tensor([0.]))
print(x.grad)
#> tensor([2.])
