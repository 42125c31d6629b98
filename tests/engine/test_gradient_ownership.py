"""The `.grad` of a leaf shares no memory with a gradient that another object refers to."""

from __future__ import annotations

import reference_impl as torch


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
