"""The loss has a penalty for gradients with respect to the input that are longer than they should be. It is computed, but it has no effect on `w`. Repair the program so that both terms of the loss have a gradient."""
# exercise: repair
# covers: autograd.grad.second-derivative
# about: using-autograd/higher-order.md#a-loss-that-contains-a-gradient
# hint: Print `penalty.requires_grad`.
# hint: The penalty was computed from `slope`, which has no graph that leads back to `w`.

# %% start
import torch

torch.manual_seed(0)
x = torch.randn(16, 3)
y = torch.randn(16)
w = torch.randn(3, requires_grad=True)

inputs = x.clone().requires_grad_()
out = torch.tanh(inputs @ w)
(slope,) = torch.autograd.grad(out.sum(), inputs, retain_graph=True)
penalty = (slope.norm(dim=1) - 0.1).square().mean()
loss = (out - y).square().mean() + 10 * penalty
loss.backward()
print(w.grad)

# %% solution
# - (slope,) = torch.autograd.grad(out.sum(), inputs, retain_graph=True)
# + (slope,) = torch.autograd.grad(out.sum(), inputs, create_graph=True)

# %% right: the slope by a formula
# - (slope,) = torch.autograd.grad(out.sum(), inputs, retain_graph=True)
# + slope = (1 - out**2)[:, None] * w

# %% check
_w = w.detach().clone().requires_grad_()
_out = torch.tanh(x @ _w)
_length = ((1 - _out**2)[:, None] * _w).norm(dim=1)
(_half,) = torch.autograd.grad((_out - y).square().mean(), _w, retain_graph=True)
(_pen,) = torch.autograd.grad((_length - 0.1).square().mean(), _w, retain_graph=True)
assert penalty.requires_grad or abs((loss - (out - y).square().mean() - 10 * penalty).item()) < 1e-3, "The penalty is still a constant. A larger factor only makes it a larger constant."
assert penalty.requires_grad or not torch.allclose(w.grad, _half), "The gradient of `w` is still that of the first term alone, so the penalty is still a constant."
assert penalty.grad_fn is not None, "The penalty is now a leaf that requires grad, so no link leads from it to `w`."
assert not torch.allclose(w.grad, 10 * _pen, atol=1e-4), "Now `w` gets the gradient of the penalty alone. The first term is part of the loss as well."
assert torch.allclose(w.grad, _half + 10 * _pen, atol=1e-4), f"Both terms together give {(_half + 10 * _pen).tolist()}, and `w.grad` is {w.grad.tolist()}."

# %% wrong: a penalty that requires grad
# - loss = (out - y).square().mean() + 10 * penalty
# + penalty.requires_grad_()
# + loss = (out - y).square().mean() + 10 * penalty

# %% wrong: a larger factor
# - loss = (out - y).square().mean() + 10 * penalty
# + loss = (out - y).square().mean() + 1000 * penalty

# %% wrong: the penalty alone
# - (slope,) = torch.autograd.grad(out.sum(), inputs, retain_graph=True)
# + (slope,) = torch.autograd.grad(out.sum(), inputs, create_graph=True)

# - loss = (out - y).square().mean() + 10 * penalty
# + loss = 10 * penalty

# %% wrong: recorded, and backward in two passes
# - (slope,) = torch.autograd.grad(out.sum(), inputs, retain_graph=True)
# + out.sum().backward(create_graph=True)
# + slope = inputs.grad
