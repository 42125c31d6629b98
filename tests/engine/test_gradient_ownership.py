"""A gradient becomes the `.grad` of a leaf without a copy exactly if no other object refers to it."""

from __future__ import annotations

import pytest

import reference_impl as torch
from reference_impl import fast

stored_gradients = []


class Double(torch.autograd.Function):
    """Computes 2x. `backward` records the address of the gradient that it returns, and keeps a reference to it if `stores` is set."""

    stores = False
    address = 0

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        gradient = g * 2
        Double.address = gradient.data_ptr()
        if Double.stores:
            stored_gradients.append(gradient)
        return gradient


@pytest.mark.skipif(not fast.is_switched_on(), reason="the core alone copies every first gradient")
@pytest.mark.parametrize("has_hook", [False, True], ids=["no hook", "a hook on the leaf"])
@pytest.mark.parametrize("stores", [False, True], ids=["no reference", "stored"])
def test_a_gradient_is_copied_only_if_it_is_referenced_elsewhere(stores, has_hook):
    Double.stores = stores
    leaf = torch.ones(3, requires_grad=True)
    if has_hook:
        leaf.register_hook(lambda grad: None)
    Double.apply(leaf).sum().backward()
    assert (leaf.grad.data_ptr() == Double.address) is not stores


def test_a_gradient_stored_by_a_hook_does_not_share_memory_with_the_leaf():
    leaf = torch.ones(3, requires_grad=True)
    gradients = []
    leaf.register_hook(gradients.append)
    (leaf * 2).sum().backward()
    leaf.grad.zero_()
    assert gradients[0].tolist() == [2, 2, 2]


def test_two_leaves_that_receive_the_same_gradient_do_not_share_it():
    a, b = (torch.ones(3, requires_grad=True) for _ in range(2))
    (a + b).sum().backward()
    a.grad.zero_()
    assert b.grad.tolist() == [1, 1, 1]
