"""A gradient that can't be summed to the shape of its input raises an error."""
# covers: function.backward-return-count

import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix):
        return matrix * 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.t() * 2  # Transposed by mistake.


matrix = torch.zeros(2, 3, requires_grad=True)
Double.apply(matrix).sum().backward()
#! RuntimeError: Function DoubleBackward returned an invalid gradient at index 0 - got [3, 2] but expected shape compatible with [2, 3]
