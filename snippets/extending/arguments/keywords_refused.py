"""`apply` refuses keyword-only parameters and `**kwargs`."""
# covers: function.forward-args-any

import torch


class Ordinary(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * factor


class KeywordOnly(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, *, factor):
        return x * factor


class AnyKeyword(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, **kwargs):
        return x * kwargs["factor"]


x = torch.tensor([1.0], requires_grad=True)
for function in Ordinary, KeywordOnly, AnyKeyword:
    try:
        print(function.apply(x, factor=3.0))
    except TypeError as error:
        print(f"{function.__name__}: {error}")
#> tensor([3.], grad_fn=<OrdinaryBackward>)
#> KeywordOnly: forward() got an unexpected keyword argument 'factor'
#> AnyKeyword: forward() got an unexpected keyword argument 'factor'
