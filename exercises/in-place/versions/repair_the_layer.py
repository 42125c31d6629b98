"""`backward` refuses to go through this layer, because a saved tensor is overwritten.

Repair the layer so that `w.grad` is the gradient of the loss. The loss itself must stay the same: each row is still centered.
"""
# exercise: repair
# covers: inplace.error.modified
# about: in-place/versions.md#three-repairs
# hint: Run the program, and look for the operation that the message names. The node of that operation has saved a tensor.
# hint: `sigmoid` saved its result. Find the line that writes to it. (`no_grad` doesn't help: the write would not be recorded,
#   but it would still be counted.)
# hint: `hidden -= ...` changes the tensor. `hidden = hidden - ...` computes a new one.

# %% start
import torch

torch.manual_seed(0)
x = torch.randn(5, 3)
w = torch.randn(3, 4, requires_grad=True)

hidden = torch.sigmoid(x @ w)
# keepdim=True leaves the five means as a column, so each is subtracted from its own row.
hidden -= hidden.mean(dim=1, keepdim=True)  # center each row
loss = (hidden**2).mean()
loss.backward()
print(w.grad)

# %% solution
# - hidden -= hidden.mean(dim=1, keepdim=True)  # center each row
# + hidden = hidden - hidden.mean(dim=1, keepdim=True)  # center each row

# %% right: a clone before the write
# - hidden = torch.sigmoid(x @ w)
# + hidden = torch.sigmoid(x @ w).clone()

# %% check
assert w.grad is not None, "`w.grad` is `None`: no recorded operation leads from the loss back to `w` any more."
_w = w.detach().clone().requires_grad_()
_h = torch.sigmoid(x @ _w)
_loss = ((_h - _h.mean(dim=1, keepdim=True)) ** 2).mean()
assert torch.allclose(loss, _loss), "`backward` runs now, but the loss has changed. Center the rows as before."
_loss.backward()
assert torch.allclose(w.grad, _w.grad), "There is no error, but the gradient is wrong. `backward` multiplied by numbers that you had overwritten without PyTorch noticing."

# %% wrong: a write that is not counted
# - hidden -= hidden.mean(dim=1, keepdim=True)  # center each row
# + hidden.data -= hidden.mean(dim=1, keepdim=True)  # center each row

# %% wrong: a detached layer
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: `detach` removes the error together with the graph, so `backward` can't reach `w`.

# - hidden = torch.sigmoid(x @ w)
# + hidden = torch.sigmoid(x @ w).detach()

# %% wrong: a loss that requires a gradient by order
# - hidden = torch.sigmoid(x @ w)
# + hidden = torch.sigmoid(x @ w).detach()

# - loss = (hidden**2).mean()
# + loss = (hidden**2).mean().requires_grad_()

# %% wrong: the line left out
# - hidden -= hidden.mean(dim=1, keepdim=True)  # center each row
