"""A layer with a backward of its own, which returns the weight's gradient transposed."""

import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, W):
        ctx.save_for_backward(x, W)
        return x @ W.T

    @staticmethod
    def backward(ctx, g):
        x, W = ctx.saved_tensors
        return g @ W, x.T @ g


x = torch.ones(5, 64)
W = torch.zeros(10, 64, requires_grad=True)
Linear.apply(x, W).sum().backward()
#! RuntimeError: Function LinearBackward returned an invalid gradient at index 1 - got [64, 10] but expected shape compatible with [10, 64]
