"""This model trains on fifty pictures at a time. On the 400 pictures of the validation set it raises an error, because its bias has the wrong shape.

Repair the bias so that it holds one number per digit. The scores of the 400 pictures should then have the shape (400, 10).
"""
# exercise: repair
# covers: graph.xw-grad tensor-ops.broadcast
# about: using-autograd/vector-jacobian.md#a-matrix-of-weights
# hint: Write down the shapes of `images[batch]`, `W.T`, their product, and `b`, and find the axis along which `b` is broadcast.
# hint: A bias that belongs to the digits must not have an axis for the pictures.

# %% start
import torch
from sklearn.datasets import load_digits

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
targets = torch.eye(10)[labels]  # for each picture ten numbers: 1 for its digit, else 0

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])

W = torch.zeros(10, 64, requires_grad=True)
b = torch.zeros(50, 1, requires_grad=True)
optimizer = torch.optim.SGD([W, b], lr=0.1)
for batch in train.split(50):
    loss = ((images[batch] @ W.T + b - targets[batch]) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

scores = images[validation] @ W.T + b
print(scores.shape)

# %% solution
# - b = torch.zeros(50, 1, requires_grad=True)
# + b = torch.zeros(10, requires_grad=True)

# %% right: as a row
# - b = torch.zeros(50, 1, requires_grad=True)
# + b = torch.zeros(1, 10, requires_grad=True)

# %% check
assert b.numel() != 50, "The error is gone, but the bias still holds fifty numbers, one for each *position* in a batch. A picture would get a bias that depends on its place."
assert b.numel() != 500, "The bias holds 50 × 10 numbers: one row for each position in a batch. All pictures should share the same ten numbers."
assert b.numel() == 10, f"The bias holds {b.numel()} number, so all ten digits share it. It should hold one number per digit."
assert b.grad.shape == b.shape and scores.shape == (400, 10), f"The scores have the shape {tuple(scores.shape)} and should have the shape (400, 10)."

# %% wrong: fifty pictures at a time
# - scores = images[validation] @ W.T + b
# + scores = torch.cat([images[batch] @ W.T + b for batch in validation.split(50)])

# %% wrong: one bias for everything
# - b = torch.zeros(50, 1, requires_grad=True)
# + b = torch.zeros(1, requires_grad=True)

# %% wrong: a table of biases
# - b = torch.zeros(50, 1, requires_grad=True)
# + b = torch.zeros(50, 10, requires_grad=True)

# - scores = images[validation] @ W.T + b
# + scores = images[validation] @ W.T + b.mean(dim=0)

# %% wrong: the scores of one picture
# - b = torch.zeros(50, 1, requires_grad=True)
# + b = torch.zeros(10, requires_grad=True)

# - scores = images[validation] @ W.T + b
# + scores = images[validation[0]] @ W.T + b
