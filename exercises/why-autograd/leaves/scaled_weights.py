"""The loop can't even take its first step. Repair the program, so that 20 steps bring the loss below a tenth of where it began.

The weights have to begin as they do now, random and divided by 8.
"""
# exercise: repair
# covers: autograd.leaf.rule autograd.leaf.grad-kept
# about: why-autograd/leaves.md#who-was-asked
# hint: Print `w.is_leaf` and `w.grad` after the first `backward`.
# hint: Which tensor was asked to keep its gradient, and does it still have a name?
# hint: `requires_grad_()` asks a tensor that is there already. When should it be asked?

# %% start
import torch

torch.manual_seed(0)
pictures = torch.randn(40, 64)
wanted = pictures[:, 0] - pictures[:, 1]

w = torch.randn(64, requires_grad=True) / 8
losses = []
for step in range(20):
    loss = ((pictures @ w - wanted) ** 2).mean()
    loss.backward()
    losses.append(loss.item())
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
print(losses[0], losses[-1])

# %% solution
# - w = torch.randn(64, requires_grad=True) / 8
# + w = (torch.randn(64) / 8).requires_grad_()

# %% right: cut off, then asked
# - w = torch.randn(64, requires_grad=True) / 8
# + w = (torch.randn(64, requires_grad=True) / 8).detach().requires_grad_()

# %% right: a parameter
# - w = torch.randn(64, requires_grad=True) / 8
# + w = torch.nn.Parameter(torch.randn(64) / 8)

# %% check
torch.manual_seed(0)
torch.randn(40, 64)
_first = ((pictures @ (torch.randn(64) / 8) - wanted) ** 2).mean().item()
assert abs(losses[0] - _first) < 1e-4, "It runs, but it begins elsewhere: the weights were to be divided by 8 before the first step."
assert losses[-1] < losses[0] / 10, f"The loss went from {losses[0]:.4f} to {losses[-1]:.4f}. Are `w` and the tensor that gets the gradient one and the same?"

# %% wrong: not divided
# - w = torch.randn(64, requires_grad=True) / 8
# + w = torch.randn(64, requires_grad=True)

# %% wrong: a gradient for the tensor behind w
# - w = torch.randn(64, requires_grad=True) / 8
# + leaf = torch.randn(64, requires_grad=True)
# + w = (leaf / 8).detach()

# -     loss = ((pictures @ w - wanted) ** 2).mean()
# +     loss = ((pictures @ (leaf / 8) - wanted) ** 2).mean()

# -         w -= 0.1 * w.grad
# -         w.grad.zero_()
# +         w -= 0.1 * leaf.grad
# +         leaf.grad.zero_()

# %% wrong: only cut off
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: Now `w` is a leaf, but one that asks for nothing. So nothing is recorded.

# - w = torch.randn(64, requires_grad=True) / 8
# + w = (torch.randn(64, requires_grad=True) / 8).detach()

# %% wrong: retain_grad
# error: RuntimeError: Trying to backward through the graph a second time ...
# hint: The first step works now. But the division was recorded once, before the loop, and each `backward` wants to go through it again.

# - w = torch.randn(64, requires_grad=True) / 8
# + w = torch.randn(64, requires_grad=True) / 8
# + w.retain_grad()
