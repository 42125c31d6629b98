"""A hook should clip the gradient of `left` to the range from −1 to 1. PyTorch calls it, but the gradient doesn't change.

Repair the hook. `left` should receive the clipped gradient, and the gradient of `right` should not change.
"""
# exercise: repair
# covers: hooks.tensor-register-hook
# about: hooks/tensors.md#replace
# hint: Print what the hook returns.
# hint: `grad = ...` only gives the name `grad` to a new tensor inside the function.

# %% start
import torch

left = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
right = torch.tensor([4.0, 5.0, 6.0], requires_grad=True)


def clip(grad):
    grad = grad.clamp(-1.0, 1.0)


left.register_hook(clip)
((left + right) * torch.tensor([0.5, 10.0, -10.0])).sum().backward()
print(left.grad, right.grad)

# %% solution
# -     grad = grad.clamp(-1.0, 1.0)
# +     return grad.clamp(-1.0, 1.0)

# %% check
_cut, _whole = torch.tensor([0.5, 1.0, -1.0]), torch.tensor([0.5, 10.0, -10.0])
assert not torch.equal(left.grad, _whole), "The gradient of `left` is not clipped. PyTorch replaces the gradient only if the hook returns a tensor."
assert not torch.equal(right.grad, _cut), "The gradient of `right` is clipped as well, although it has no hook. Both receive the same tensor, and your hook writes into it."
assert torch.equal(left.grad, _cut) and torch.equal(right.grad, _whole), "The gradients aren't the right ones: `left` should have 0.5, 1 and −1, and `right` 0.5, 10 and −10."
left.grad = None
(left * 7).sum().backward()
assert torch.equal(left.grad, torch.ones(3)), "The first backward pass is right, but the gradient of `left` isn't clipped in the next pass."

# %% wrong: clipped in place
# -     grad = grad.clamp(-1.0, 1.0)
# +     grad.clamp_(-1.0, 1.0)

# %% wrong: clipped without its sign
# -     grad = grad.clamp(-1.0, 1.0)
# +     return grad.abs().clamp(max=1.0)

# %% wrong: clipped after backward
# - print(left.grad, right.grad)
# + left.grad.clamp_(-1.0, 1.0)
