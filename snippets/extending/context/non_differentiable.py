"""`mark_non_differentiable` declares that no gradient flows through an output."""

import torch


class AbsAndSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        sign = x.sign()
        ctx.save_for_backward(sign)
        return x.abs(), sign

    @staticmethod
    def backward(ctx, grad_abs, grad_sign):
        print("arrived:", grad_abs, grad_sign)
        (sign,) = ctx.saved_tensors
        return grad_abs * sign


class Marked(AbsAndSign):
    @staticmethod
    def forward(ctx, x):
        sign = x.sign()
        ctx.save_for_backward(sign)
        ctx.mark_non_differentiable(sign)
        return x.abs(), sign


x = torch.tensor([-3.0, 2.0], requires_grad=True)

magnitude, sign = AbsAndSign.apply(x)
print(sign)
#> tensor([-1.,  1.], grad_fn=<AbsAndSignBackward>)
(magnitude + sign).sum().backward()
#> arrived: tensor([1., 1.]) tensor([1., 1.])

magnitude, sign = Marked.apply(x)
print(sign)
#> tensor([-1.,  1.])
(magnitude + sign).sum().backward()
#> arrived: tensor([1., 1.]) tensor([0., 0.])
