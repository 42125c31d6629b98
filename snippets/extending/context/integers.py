"""An output of integers is not differentiable, with or without a mark."""

import torch


class Sort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.sort()
        ctx.save_for_backward(index)
        return values, index

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        print(grad_index)
        (index,) = ctx.saved_tensors
        return torch.zeros_like(grad_values).scatter(0, index, grad_values)


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
values, index = Sort.apply(x)
print(values, index)
#> tensor([1., 2., 3.], grad_fn=<SortBackward>) tensor([1, 2, 0])

values.backward(torch.tensor([10.0, 20.0, 30.0]))
#> tensor([0, 0, 0])
print(x.grad)
#> tensor([30., 10., 20.])
