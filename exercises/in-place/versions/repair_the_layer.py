"""`backward` refuses to go through this layer. Repair it, so that `w.grad` is the gradient of the loss as it is now.

The loss itself must not change: the layer is to compute what it computes today.
"""
# exercise: repair
# covers: inplace.error.modified
# about: in-place/versions.md#three-repairs
# hint: Run it as it is. Which operation does the message name, and what does the derivative of that operation need?
# hint: `sigmoid` saved its result. Which line writes into it? (To write under `no_grad` is no way out: such a write is not recorded,
#   and it is counted all the same.)
# hint: `hidden -= ...` changes the tensor. What does `hidden = hidden - ...` do?

# %% start
import torch

torch.manual_seed(0)
x = torch.randn(5, 3)
w = torch.randn(3, 4, requires_grad=True)

hidden = torch.sigmoid(x @ w)
hidden -= hidden.mean(dim=1, keepdim=True)  # centre each row
loss = (hidden**2).mean()
loss.backward()
print(w.grad)

# %% solution
# - hidden -= hidden.mean(dim=1, keepdim=True)  # centre each row
# + hidden = hidden - hidden.mean(dim=1, keepdim=True)  # centre each row

# %% right: a clone before the write
# - hidden = torch.sigmoid(x @ w)
# + hidden = torch.sigmoid(x @ w).clone()

# %% check
assert w.grad is not None, "`w.grad` is `None`: nothing recorded leads from the loss back to `w` any more."
_w = w.detach().clone().requires_grad_()
_h = torch.sigmoid(x @ _w)
_loss = ((_h - _h.mean(dim=1, keepdim=True)) ** 2).mean()
assert torch.allclose(loss, _loss), "`backward` runs now, but the loss is another one. The rows are to be centred as before."
_loss.backward()
assert torch.allclose(w.grad, _w.grad), "It runs, and the gradient is wrong. Backward multiplied with numbers that you had overwritten behind its back."

# %% wrong: a write that is not counted
# - hidden -= hidden.mean(dim=1, keepdim=True)  # centre each row
# + hidden.data -= hidden.mean(dim=1, keepdim=True)  # centre each row

# %% wrong: a detached layer
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: `detach` takes away the error and the record with it. Backward has no way back to `w`.

# - hidden = torch.sigmoid(x @ w)
# + hidden = torch.sigmoid(x @ w).detach()

# %% wrong: a loss that requires a gradient by order
# - hidden = torch.sigmoid(x @ w)
# + hidden = torch.sigmoid(x @ w).detach()

# - loss = (hidden**2).mean()
# + loss = (hidden**2).mean().requires_grad_()

# %% wrong: the line left out
# - hidden -= hidden.mean(dim=1, keepdim=True)  # centre each row
