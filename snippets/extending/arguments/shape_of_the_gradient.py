"""A gradient that is too large is summed to the shape of its input, and its dtype is converted."""
# covers: function.backward-return-count

import torch


class AddRow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix, row):
        return matrix + row

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output  # The second has the shape of the matrix.


class InDouble(AddRow):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.double(), grad_output.double()


matrix = torch.zeros(2, 3)
for function in AddRow, InDouble:
    row = torch.zeros(3, requires_grad=True)
    function.apply(matrix, row).sum().backward()
    print(row.grad, row.grad.dtype)
#> tensor([2., 2., 2.]) torch.float32
#> tensor([2., 2., 2.]) torch.float32
