"""This loop fails in its first step, because `w.grad` is `None`. Repair the program, but start from the same weights, random and divided by 8.

Bring the loss below a tenth of its first value in 20 steps.
"""
# exercise: repair
# covers: autograd.leaf.rule autograd.leaf.grad-kept
# about: why-autograd/leaves.md#set-requires-grad-last
# hint: Print `w.is_leaf` and `w.grad` after the first `backward`.
# hint: The leaf is the tensor that was divided, and it has no name in the program.
# hint: `requires_grad_()` can be called on a tensor that exists already, for example on the quotient.

# %% start
import torch

torch.manual_seed(0)
pictures = torch.randn(40, 64)
labels = pictures[:, 0] - pictures[:, 1]

w = torch.randn(64, requires_grad=True) / 8
losses = []
for step in range(20):
    loss = ((pictures @ w - labels) ** 2).mean()
    loss.backward()
    losses.append(loss.item())
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
print(losses[0], losses[-1])

# %% solution
# - w = torch.randn(64, requires_grad=True) / 8
# + w = (torch.randn(64) / 8).requires_grad_()

# %% right: detached, then required
# - w = torch.randn(64, requires_grad=True) / 8
# + w = (torch.randn(64, requires_grad=True) / 8).detach().requires_grad_()

# %% right: a parameter
# - w = torch.randn(64, requires_grad=True) / 8
# + w = torch.nn.Parameter(torch.randn(64) / 8)

# %% check
torch.manual_seed(0)
torch.randn(40, 64)
_first = ((pictures @ (torch.randn(64) / 8) - labels) ** 2).mean().item()
assert abs(losses[0] - _first) < 1e-4, "The program runs, but it starts from other weights. They should be divided by 8 before the first step."
assert losses[-1] < losses[0] / 10, f"The loss went from {losses[0]:.4f} to {losses[-1]:.4f}. The gradient belongs to another tensor, the one that the loss uses. The steps change `w`, which the loss doesn't use."

# %% wrong: not divided
# - w = torch.randn(64, requires_grad=True) / 8
# + w = torch.randn(64, requires_grad=True)

# %% wrong: a gradient for the tensor behind w
# - w = torch.randn(64, requires_grad=True) / 8
# + leaf = torch.randn(64, requires_grad=True)
# + w = (leaf / 8).detach()

# -     loss = ((pictures @ w - labels) ** 2).mean()
# +     loss = ((pictures @ (leaf / 8) - labels) ** 2).mean()

# -         w -= 0.1 * w.grad
# -         w.grad.zero_()
# +         w -= 0.1 * leaf.grad
# +         leaf.grad.zero_()

# %% wrong: only detached
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: `w` is a leaf now, but it doesn't require a gradient, so nothing is recorded.

# - w = torch.randn(64, requires_grad=True) / 8
# + w = (torch.randn(64, requires_grad=True) / 8).detach()

# %% wrong: retain_grad
# error: RuntimeError: Trying to backward through the graph a second time ...
# hint: The first step works now. But the division was recorded once, before the loop, and each backward pass would have to go through it again.

# - w = torch.randn(64, requires_grad=True) / 8
# + w = torch.randn(64, requires_grad=True) / 8
# + w.retain_grad()
