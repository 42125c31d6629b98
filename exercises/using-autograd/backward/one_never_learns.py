"""`backward` raises no error, but only `scale` gets a gradient and `w` gets none. Repair the program so that both have the gradient of this loss."""
# exercise: repair
# covers: autograd.backward.params
# about: using-autograd/backward.md#there-must-be-a-graph
# hint: Print `score.grad_fn` and `clean.grad_fn`. The first has a node and the second has none.
# hint: A Python list holds plain numbers, without the operations that led to them.
# hint: `clamp` works on tensors, so the list is not needed.

# %% start
import torch

x = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
y = torch.tensor([2.0, 1.0, 0.0])
w = torch.tensor([0.5, -0.25], requires_grad=True)
scale = torch.tensor(2.0, requires_grad=True)

score = x @ w
clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
loss = ((clean * scale - y) ** 2).mean()
loss.backward()
print(scale.grad, w.grad)

# %% solution
# - clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
# + clean = score.clamp(min=-10.0)

# %% right: element by element, but in tensors
# - clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
# + clean = torch.stack([s if s > -10.0 else torch.tensor(-10.0) for s in score])

# %% check
assert w.grad is not None or "clean" not in globals() or not (clean.is_leaf and clean.requires_grad), "Now `clean` is a leaf that requires grad, so the pass ends there. No link leads from it to `w`."
assert w.grad is not None or not score.retains_grad, "`score` would keep its gradient now, but none arrives, because no link leads from `clean` to `score`."
assert w.grad is not None, "`w` still has no gradient. The graph must lead from the loss to `w` without a gap."
_w, _scale = (one.detach().clone().requires_grad_() for one in (w, scale))
(((x @ _w).clamp(min=-10.0) * _scale - y) ** 2).mean().backward()
assert torch.allclose(w.grad, _w.grad), f"`w` has a gradient, {w.grad.tolist()}, but it isn't the gradient of this loss. Check that the loss still uses `scale`."
assert scale.grad is not None and torch.allclose(scale.grad, _scale.grad), "Now `w` has its gradient, but the gradient of `scale` is missing or wrong."

# %% wrong: ask for a gradient at the gap
# - clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
# + clean = torch.tensor([max(s, -10.0) for s in score.tolist()], requires_grad=True)

# %% wrong: retain the gradient of the score
# - clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
# + score.retain_grad()
# + clean = torch.tensor([max(s, -10.0) for s in score.tolist()])

# %% wrong: a loss without the scale
# - clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
# - loss = ((clean * scale - y) ** 2).mean()
# + loss = ((score - y) ** 2).mean()

# %% wrong: the scale as a number
# - clean = torch.tensor([max(s, -10.0) for s in score.tolist()])
# - loss = ((clean * scale - y) ** 2).mean()
# + loss = ((score * scale.item() - y) ** 2).mean()
