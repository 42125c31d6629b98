"""Before each step, the program computes the gradient of the penalty as a check, and this check changes the training. Repair it so that it changes no `.grad`.

`steepness` should hold the gradient of the penalty with respect to `w`, one number for each step.
"""
# exercise: repair
# covers: autograd.three-apis
# about: using-autograd/index.md#grad
# hint: Print `w.grad` just before `optimizer.step()`. It holds the sum of the gradients of the loss and of the penalty.
# hint: `torch.autograd.grad` returns a gradient and stores it nowhere.

# %% start
import torch

w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
steepness = []

for step in range(50):
    optimizer.zero_grad()
    loss = (w - 1) ** 2
    loss.backward()
    penalty = w**2
    penalty.backward()
    steepness.append(w.grad.item())
    optimizer.step()
print(w, steepness[0])

# %% solution
# -     penalty.backward()
# -     steepness.append(w.grad.item())
# +     (slope,) = torch.autograd.grad(penalty, w)
# +     steepness.append(slope.item())

# %% right: the look first, and cleared afterwards
# -     optimizer.zero_grad()
# -     loss = (w - 1) ** 2
# -     loss.backward()
# -     penalty = w**2
# -     penalty.backward()
# -     steepness.append(w.grad.item())
# -     optimizer.step()
# +     optimizer.zero_grad()
# +     penalty = w**2
# +     penalty.backward()
# +     steepness.append(w.grad.item())
# +     optimizer.zero_grad()
# +     loss = (w - 1) ** 2
# +     loss.backward()
# +     optimizer.step()

# %% check
assert abs(steepness[0] - 10.0) > 1e-4, "The first number is the gradient of the loss and the penalty together, because `backward` adds."
assert abs(steepness[0] - 4.0) > 1e-4, "`steepness` holds the gradient of the loss. It should hold the gradient of the penalty."
assert abs(steepness[0] - 6.0) < 1e-4, "The first number should be 6, the derivative of `w**2` at 3."
assert abs(w.item() - 1.0) < 1e-3, "The gradients are right, but `w` doesn't arrive at 1. When the optimizer steps, `w.grad` doesn't hold the gradient of the loss alone."

# %% wrong: cleared in between, and not put back
# -     penalty = w**2
# +     optimizer.zero_grad()
# +     penalty = w**2

# %% wrong: the gradient of the loss
# -     penalty = w**2
# -     penalty.backward()
# -     steepness.append(w.grad.item())
# +     steepness.append(w.grad.item())

# %% wrong: the value in place of the slope
# -     penalty.backward()
# -     steepness.append(w.grad.item())
# +     steepness.append(penalty.item())
