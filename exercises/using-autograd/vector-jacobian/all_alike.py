"""After two hundred steps the loss is still 0.25, and every picture gets a score of about one half, because two shapes don't fit.

Repair the program so that the mean squared error over the 360 pictures falls below 0.02. Leave the number of steps and the learning rate as they are.
"""
# exercise: repair
# covers: tensor-ops.broadcast
# about: using-autograd/vector-jacobian.md#the-shape-that-went-wrong
# hint: Print the shapes of `score`, `y` and `score - y`. There should be one difference for each of the 360 pictures.
# hint: Shapes are aligned at the right. `(360, 1)` and `(360,)` are broadcast to `(360, 360)`.

# %% start
import torch
from sklearn.datasets import load_digits

digits = load_digits(n_class=2)
X, y = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target).float()
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
    _error = ((_score - torch.tensor(digits.target).float()) ** 2).mean().item()
assert w.abs().max() < 10, "The weights have become huge, so training diverges. Leave the learning rate and the mean as they were. The high loss had another reason."
assert step < 200, f"You take more steps, and the error over the pictures is still {_error:.3f}. The loss already has its lowest value: all scores equal to one half."
assert _error < 0.02, f"The error over the pictures is {_error:.3f}. Each score must be compared with its own label only. That makes 360 differences, not a table of 360 times 360."

# %% wrong: more steps
# - for step in range(200):
# + for step in range(400):

# %% wrong: a larger step
# -         w -= 0.05 * w.grad
# -         b -= 0.05 * b.grad
# +         w -= 1.0 * w.grad
# +         b -= 1.0 * b.grad
