"""Some rows count more than others: the loss is the mean of `errors`, weighted by `counts`. The rows don't fit into memory together, so they come in two parts. Choose `vector` so that `w.grad` holds the gradient of the whole loss at the end.

The whole loss is `loss = (counts * errors).sum() / counts.sum()`, taken over all five rows.
"""
# exercise: write
# about: using-autograd/jacobians.md#the-rule
# hint: In the whole loss, the error of a row is multiplied by its number in `counts` and divided by the sum of `counts`.
# hint: `errors` has one element for each row of this part, and so has `vector`. The sum in the formula goes over all five rows.

# %% start
import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
y = torch.tensor([2.0, 3.0, 5.0, 8.0, 9.0])
counts = torch.tensor([1.0, 4.0, 1.0, 2.0, 8.0])
w = torch.tensor(1.0, requires_grad=True)

for part in (slice(0, 3), slice(3, 5)):
    errors = (w * x[part] - y[part]) ** 2
    vector = torch.ones_like(errors)
    errors.backward(gradient=vector)
print(w.grad)

# %% solution
# -     vector = torch.ones_like(errors)
# +     vector = counts[part] / counts.sum()

# %% check
_w = torch.tensor(1.0, requires_grad=True)
_loss = (counts * (_w * x - y) ** 2).sum() / counts.sum()
_loss.backward()
_ratio = w.grad.item() / _w.grad.item()
assert torch.equal(w.detach(), torch.tensor(1.0)), "`w` must keep its value. The task needs only its gradient."
assert abs(_ratio - 16) > 1e-3, "The gradient is sixteen times too large. The rows are in the right proportion, but the division by `counts.sum()` is missing."
assert abs(_ratio - 2) > 0.35, "The gradient is nearly twice too large. Each part is divided by its own sum of counts now. Divide by the sum over all five rows."
assert abs(_ratio - 0.6957) > 1e-3, "This is the plain mean over five rows. The last row should count eight times as much as the first."
assert abs(_ratio - 1) < 1e-3, f"The gradient is {_ratio:.2f} times what it should be. Write the loss as a sum over the five rows, and use the factor of each error."

# %% wrong: a sum, not a mean
# -     vector = torch.ones_like(errors)
# +     vector = counts[part]

# %% wrong: a mean in each part
# -     vector = torch.ones_like(errors)
# +     vector = counts[part] / counts[part].sum()

# %% wrong: each row alike
# -     vector = torch.ones_like(errors)
# +     vector = torch.ones_like(errors) / 5

# %% wrong: moved on the way
# -     errors.backward(gradient=vector)
# +     errors.backward(gradient=vector)
# +     with torch.no_grad():
# +         w -= 0.001 * w.grad
