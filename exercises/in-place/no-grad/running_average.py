"""This program trains well, but each step needs more memory than the one before, because `average` keeps the graph of every loss alive.

Repair the program so that `average` has no graph. Its value at the end must stay 0.0417. (`average` follows the loss slowly, so that a curve drawn from it is smoother.)
"""
# exercise: repair
# covers: autograd.no-grad autograd.tips-list
# about: in-place/no-grad.md#what-has-grown
# hint: Print `average` in the first three steps, and look at what PyTorch prints behind the number.
# hint: `average` was computed from the loss of the last step and from the previous `average`, so its graph contains all earlier graphs.
# hint: The average needs only the number of each loss. `item` takes it out of the tensor.

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
assert "loss" in globals() or getattr(average, "grad_fn", None) is None, "`del` removes a name from your program. The graph behind `average` still leads to this loss."
assert getattr(average, "grad_fn", None) is None, "`average` still has a `grad_fn`, and behind it is the graph of all 40 losses."
assert abs(float(average) - 0.0417) < 1e-4, f"The graph is gone, but `average` is {float(average):.4f} and should still be 0.0417."

# %% wrong: the name deleted
# -     average = 0.9 * average + 0.1 * loss
# +     average = 0.9 * average + 0.1 * loss
# +     del loss

# %% wrong: the last loss alone
# -     average = 0.9 * average + 0.1 * loss
# +     average = loss.item()

# %% wrong: nothing recorded at all
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: The loss itself needs its graph, because `backward` starts there. Only `average` can do without.

# -     loss = ((w * x + b - y) ** 2).mean()
# +     with torch.no_grad():
# +         loss = ((w * x + b - y) ** 2).mean()
