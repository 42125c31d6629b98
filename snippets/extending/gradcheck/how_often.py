"""`gradcheck` runs two forward passes per input number and two backward passes per result."""
# covers: function.gradcheck

import torch

calls = {"forward": 0, "backward": 0}


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        calls["forward"] += 1
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad_output):
        calls["backward"] += 1
        a, b = ctx.saved_tensors
        return grad_output @ b.t(), a.t() @ grad_output


for rows, inner, columns in (1, 3, 1), (2, 3, 2), (4, 3, 4):
    calls.update(forward=0, backward=0)
    a = torch.rand(rows, inner, dtype=torch.float64, requires_grad=True)
    b = torch.rand(inner, columns, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(Product.apply, (a, b))
    print(f"{a.numel() + b.numel()} in, {rows * columns} out: {calls['forward']} forward, {calls['backward']} backward")
#> 6 in, 1 out: 14 forward, 4 backward
#> 12 in, 4 out: 26 forward, 10 backward
#> 24 in, 16 out: 50 forward, 34 backward
