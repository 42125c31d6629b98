"""Two hundred steps, and the loss sits at 0.25: every picture gets a score of about one half. Repair it; the loss is to end below 0.02."""
# exercise: repair
# covers: tensor-ops.broadcast
# about: using-autograd/vector-jacobian.md#what-runs-may-still-have-the-wrong-shape
# hint: Print the shape of `score - y`. How many numbers did you expect?
# hint: `(360, 1)` and `(360,)` are lined up at the right. What is stretched?

# %% start
import torch
from sklearn.datasets import load_digits

digits = load_digits(n_class=2)
X = torch.from_numpy(digits.data).float() / 16
y = torch.from_numpy(digits.target).float()
w = torch.zeros(64, 1, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

for step in range(200):
    score = X @ w + b
    loss = ((score - y) ** 2).mean()
    w.grad = b.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        b -= 0.05 * b.grad
print(loss)

# %% solution
# -     loss = ((score - y) ** 2).mean()
# +     loss = ((score - y[:, None]) ** 2).mean()

# %% right: the column made flat
# -     score = X @ w + b
# +     score = (X @ w).squeeze(1) + b

# %% check
with torch.no_grad():
    _score = (X @ w + b).reshape(-1)
    _true = ((_score - torch.from_numpy(digits.target).float()) ** 2).mean().item()
assert w.abs().max() < 10, "The weights have become huge. The step wasn't what kept the loss up."
assert step < 200, f"More steps, and the true loss is {_true:.3f}. The best answer to this table of differences is one half for everybody, and that's reached."
assert _true < 0.02, f"The true loss is {_true:.3f}. Each score is still compared with every label: 360 times 360 differences."

# %% wrong: more steps
# - for step in range(200):
# + for step in range(400):

# %% wrong: a larger step
# -         w -= 0.05 * w.grad
# -         b -= 0.05 * b.grad
# +         w -= 1.0 * w.grad
# +         b -= 1.0 * b.grad
