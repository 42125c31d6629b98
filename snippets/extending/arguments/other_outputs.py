"""An output that isn't a tensor has its place too; its gradient is `None`."""
# covers: function.backward-arg-count

import torch


class Describe(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, "doubled", 3

    @staticmethod
    def backward(ctx, *grad_outputs):
        print(grad_outputs)
        return grad_outputs[0] * 2


x = torch.tensor([1.0], requires_grad=True)
outputs = Describe.apply(x)
print(outputs)
#> (tensor([2.], grad_fn=<DescribeBackward>), 'doubled', 3)
outputs[0].backward()
#> (tensor([1.]), None, None)
