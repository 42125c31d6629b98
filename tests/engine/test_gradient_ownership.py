"""A gradient becomes the `.grad` of a leaf without a copy exactly if no other object refers to it."""

from __future__ import annotations

import pytest

import reference_impl as torch
from reference_impl import fast

sent_gradients = []


class Double(torch.autograd.Function):
    """Computes 2x. Records the address of the gradient that it returns, and stores that gradient if `keeps` is set."""

    keeps = False
    address = 0

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        sent = g * 2
        Double.address = sent.data_ptr()
        if Double.keeps:
            sent_gradients.append(sent)
        return sent


@pytest.mark.skipif(not fast.is_switched_on(), reason="the core alone copies every first gradient")
@pytest.mark.parametrize("hooked", [False, True], ids=["no hook", "a hook on the leaf"])
@pytest.mark.parametrize("keeps", [False, True], ids=["no reference", "stored"])
def test_a_gradient_is_copied_only_if_it_is_referenced_elsewhere(keeps, hooked):
    Double.keeps = keeps
    leaf = torch.ones(3, requires_grad=True)
    if hooked:
        leaf.register_hook(lambda grad: None)
    Double.apply(leaf).sum().backward()
    assert (leaf.grad.data_ptr() == Double.address) is not keeps


def test_a_gradient_stored_by_a_hook_does_not_share_memory_with_the_leaf():
    leaf = torch.ones(3, requires_grad=True)
    seen = []
    leaf.register_hook(seen.append)
    (leaf * 2).sum().backward()
    leaf.grad.zero_()
    assert seen[0].tolist() == [2, 2, 2]


def test_two_leaves_that_receive_the_same_gradient_do_not_share_it():
    a, b = (torch.ones(3, requires_grad=True) for _ in range(2))
    (a + b).sum().backward()
    a.grad.zero_()
    assert b.grad.tolist() == [1, 1, 1]
