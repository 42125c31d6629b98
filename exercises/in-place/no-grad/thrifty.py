"""To save memory, this program computes the score without a graph, and `backward` refuses.

Repair the program so that `w` ends near 1.2 and `b` near -0.1.
"""
# exercise: repair
# covers: autograd.no-grad
# about: in-place/no-grad.md#nothing-is-recorded
# hint: Print `score.requires_grad`. Then follow the way from the loss back to `w`, operation by operation.
# hint: `requires_grad_()` on a result starts a new graph at that result. It doesn't restore what wasn't recorded before it.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

for step in range(40):
    with torch.no_grad():
        score = w * x + b
    loss = ((score - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w, b, loss)

# %% solution
# -     with torch.no_grad():
# -         score = w * x + b
# +     score = w * x + b

# %% check
assert w.item() != 0.0 or score.is_leaf is False or score.grad is None, "There is no error, but `w` is still 0. The gradient reaches `score`, and no link leads from there to `w` and `b`."
assert w.item() != 0.0 or b.item() != 0.0, "There is no error, but `w` and `b` are still 0. The graph that you started with `requires_grad_` begins and ends at the loss."
assert abs(w.item() - 1.2) < 0.02 and abs(b.item() + 0.1) < 0.02, "Something moves now, but `w` and `b` don't reach 1.2 and -0.1. The multiplication and the addition both have to be recorded."

# %% wrong: a loss that requires a gradient by order
# -     loss = ((score - y) ** 2).mean()
# +     loss = ((score - y) ** 2).mean().requires_grad_()

# %% wrong: a score that requires a gradient by order
# -     loss = ((score - y) ** 2).mean()
# +     score.requires_grad_()
# +     loss = ((score - y) ** 2).mean()

# %% wrong: only half of it recorded
# -     with torch.no_grad():
# -         score = w * x + b
# +     with torch.no_grad():
# +         scaled = w * x
# +     score = scaled + b
