"""A module accepts only one of the two kinds of backward hooks."""

from torch import nn


def nothing(module, grad_input, grad_output):
    return None


layer = nn.Linear(3, 2)
layer.register_full_backward_hook(nothing)
layer.register_backward_hook(nothing)
#! RuntimeError: Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them.
