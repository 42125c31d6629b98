"""This program trains well, and each step needs a little more memory than the one before. Repair it; `average` has to come out the same.

`average` follows the loss slowly, so that the curve on the screen is less jumpy.
"""
# exercise: repair
# covers: autograd.no-grad autograd.tips-list
# about: in-place/no-grad.md#what-has-grown
# hint: Print `average` in the first three steps. What is written behind the number?
# hint: Which names still lead to the loss of the first step?
# hint: You need the number of each loss for the average, and its record only until `backward` has run.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

average = torch.tensor(1.0)
for step in range(40):
    loss = ((w * x + b - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average = 0.9 * average + 0.1 * loss
print(average)

# %% solution
# -     average = 0.9 * average + 0.1 * loss
# +     average = 0.9 * average + 0.1 * loss.item()

# %% right: detach
# -     average = 0.9 * average + 0.1 * loss
# +     average = 0.9 * average + 0.1 * loss.detach()

# %% right: the line unrecorded
# -     average = 0.9 * average + 0.1 * loss
# +     with torch.no_grad():
# +         average = 0.9 * average + 0.1 * loss

# %% check
assert "loss" in globals() or getattr(average, "grad_fn", None) is None, "`del` takes away a name. Who else still leads to this loss?"
assert getattr(average, "grad_fn", None) is None, "Behind `average` there is still the record of all 40 losses."
assert abs(float(average) - 0.0417) < 1e-4, f"Nothing grows any more, but `average` is {float(average):.4f} and should be what it was."

# %% wrong: the name deleted
# -     average = 0.9 * average + 0.1 * loss
# +     average = 0.9 * average + 0.1 * loss
# +     del loss

# %% wrong: the last loss alone
# -     average = 0.9 * average + 0.1 * loss
# +     average = loss.item()

# %% wrong: nothing recorded at all
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: Without a record of the loss there is nothing to go back through. Only the average can do without one.

# -     loss = ((w * x + b - y) ** 2).mean()
# +     with torch.no_grad():
# +         loss = ((w * x + b - y) ** 2).mean()
