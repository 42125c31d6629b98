"""A tensor that is marked dirty must be an input and must be returned."""

import torch


class NotAnInput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x + 1
        ctx.mark_dirty(y)
        return y


class NotReturned(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x * 2


h = torch.tensor([1.0], requires_grad=True) * 1

NotAnInput.apply(h)
#~ UserWarning: ctx.mark_dirty() received a tensor that was not an input. ...
NotReturned.apply(h)
#! RuntimeError: Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace must all be outputs of the Function.
