"""A hook should cut the gradient of `left` to the range from −1 to 1. It's called, and nothing is cut. Repair it, so that `left` gets the cut gradient and `right` keeps its own."""
# exercise: repair
# covers: hooks.tensor-register-hook
# about: hooks/tensors.md#replace
# hint: Print what the hook returns.
# hint: `grad = ...` changes only what the name `grad` stands for inside the function.

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
assert not torch.equal(left.grad, _whole), "The gradient of `left` arrives uncut. What does PyTorch get back from your hook?"
assert not torch.equal(right.grad, _cut), "`left` is cut, and `right`, which has no hook, is cut as well. Whose tensor did you write into?"
assert torch.equal(left.grad, _cut) and torch.equal(right.grad, _whole), "The gradients aren't the right ones: `left` should have 0.5, 1 and −1, and `right` 0.5, 10 and −10."
left.grad = None
(left * 7).sum().backward()
assert torch.equal(left.grad, torch.ones(3)), "In this pass it works. In the next one, the gradient of `left` is uncut again."

# %% wrong: cut in place
# -     grad = grad.clamp(-1.0, 1.0)
# +     grad.clamp_(-1.0, 1.0)

# %% wrong: the size cut, the sign lost
# -     grad = grad.clamp(-1.0, 1.0)
# +     return grad.abs().clamp(max=1.0)

# %% wrong: cut after backward
# - print(left.grad, right.grad)
# + left.grad.clamp_(-1.0, 1.0)
