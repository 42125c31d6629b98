"""This program keeps its losses and the values of `w` for a plot. Its memory grows from step to step, and all forty values of `w` come out the same.

Repair it so that no graph is kept alive and `weights` holds the value of `w` after each step.
"""
# exercise: repair
# covers: autograd.no-grad autograd.detach
# about: in-place/no-grad.md#what-has-grown
# hint: Print `losses[0]` and `weights[0]` at the end. A `grad_fn` stands behind the number of the loss, and the weight is that of the last step.
# hint: A detached tensor uses the same memory as `w`, and `step` writes to that memory.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

losses, weights = [], []
for step in range(40):
    loss = ((w * x + b - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
    weights.append(w.detach())
print(weights)

# %% solution
# -     losses.append(loss)
# -     weights.append(w.detach())
# +     losses.append(loss.item())
# +     weights.append(w.item())

# %% right: detached, and a copy
# -     losses.append(loss)
# -     weights.append(w.detach())
# +     losses.append(loss.detach())
# +     weights.append(w.detach().clone())

# %% check
assert len(losses) == len(weights) == 40, "The plot needs all forty losses and all forty weights."
_has_graph = [isinstance(_item, torch.Tensor) and _item.grad_fn is not None for _item in losses]
assert not any(_has_graph) or float(weights[0]) == float(weights[-1]), "`weights` is right now, but each loss in the list still has a `grad_fn` and keeps its graph alive."
assert not any(_has_graph), "Each loss in the list still has a `grad_fn`, so its graph stays alive. And all the weights are still equal."
assert abs(float(losses[-1]) - 0.025) < 1e-3, "Nothing is trained any more. Only the *items* of the two lists should have no graph."
assert float(weights[0]) != float(weights[-1]), "The losses are right now. But all the weights are equal, because each detached tensor shares its storage with `w`."
assert not any(isinstance(_item, torch.Tensor) and _item.requires_grad for _item in weights), "The copies in `weights` are part of a graph, because `clone` is recorded. Detach them first."

# %% wrong: only the losses
# -     losses.append(loss)
# +     losses.append(loss.item())

# %% wrong: only the weights
# -     weights.append(w.detach())
# +     weights.append(w.item())

# %% wrong: a recorded clone
# -     losses.append(loss)
# -     weights.append(w.detach())
# +     losses.append(loss.item())
# +     weights.append(w.clone())

# %% wrong: only the last step
# -     losses.append(loss)
# -     weights.append(w.detach())
# +     losses, weights = [loss.item()], [w.item()]

# %% wrong: nothing trained
# -     loss = ((w * x + b - y) ** 2).mean()
# -     optimizer.zero_grad()
# -     loss.backward()
# +     with torch.no_grad():
# +         loss = ((w * x + b - y) ** 2).mean()
# +     optimizer.zero_grad()
