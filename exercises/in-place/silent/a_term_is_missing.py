"""The training should bring the weights close to 2 and -1, with a small penalty for large weights. Instead they go to zero, without an error.

Repair it. The loss must remain the mean squared error plus 0.001 times the sum of the squared weights.
"""
# exercise: repair
# covers: inplace.no-error-means-right
# about: in-place/silent.md#left-out-of-the-record
# hint: Remove the penalty for a moment. Then `backward` raises an error, because no graph leads from the error to `w`.
# hint: Only the penalty leads back to `w`. Look for a tensor that is built from plain numbers.

# %% start
import torch

x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
y = torch.tensor([2.0, -1.0, 1.0])
w = torch.tensor([0.5, 0.5], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.2)

for step in range(200):
    scores = torch.tensor([(row * w).sum().item() for row in x])
    error = ((scores - y) ** 2).mean()
    loss = error + 0.001 * (w * w).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w, error)

# %% solution
# -     scores = torch.tensor([(row * w).sum().item() for row in x])
# +     scores = torch.stack([(row * w).sum() for row in x])

# %% right: all rows at once
# -     scores = torch.tensor([(row * w).sum().item() for row in x])
# +     scores = x @ w

# %% check
_right = torch.tensor([1.995, -0.994])
assert torch.allclose(w.detach(), _right, atol=0.02) or error.requires_grad, "The error isn't connected to `w`, so only the penalty changes the weights."
assert scores.grad_fn is not None or torch.allclose(w.detach(), _right, atol=0.02), "`scores` is now a leaf that requires a gradient, so the graph ends there. It must lead on to `w`."
assert torch.allclose(w.detach(), _right, atol=0.02), "The error changes the weights now, but they don't come close to 2 and -1. All three scores should pass gradients to both weights."
assert abs(loss.item() - error.item() - 0.001 * (w * w).sum().item()) < 1e-5, "The weights are right, but the penalty is no longer part of the loss."

# %% wrong: requires_grad by order
# -     scores = torch.tensor([(row * w).sum().item() for row in x])
# +     scores = torch.tensor([(row * w).sum().item() for row in x], requires_grad=True)

# %% wrong: the penalty left out
# -     scores = torch.tensor([(row * w).sum().item() for row in x])
# +     scores = x @ w

# -     loss = error + 0.001 * (w * w).sum()
# +     loss = error

# %% wrong: one weight left out
# -     scores = torch.tensor([(row * w).sum().item() for row in x])
# +     scores = x @ torch.stack([w[0], w[1].detach()])
