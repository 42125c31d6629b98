"""A gradient of another shape is summed down if it can be, and refused if it can't."""
# covers: function.backward-return-count

import torch


class AddRow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix, row):
        return matrix + row

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output  # The second has the shape of the matrix.


matrix = torch.zeros(2, 3, requires_grad=True)
row = torch.zeros(3, requires_grad=True)
AddRow.apply(matrix, row).sum().backward()
print(row.grad)
#> tensor([2., 2., 2.])


class Transposed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix):
        return matrix * 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.t() * 2


Transposed.apply(matrix).sum().backward()
#! RuntimeError: Function TransposedBackward returned an invalid gradient at index 0 - got [3, 2] but expected shape compatible with [2, 3]


# The dtype is made to fit as well.
class InDouble(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix):
        return matrix * 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.double() * 2


matrix.grad = None
InDouble.apply(matrix).sum().backward()
print(matrix.grad.dtype)
#> torch.float32
