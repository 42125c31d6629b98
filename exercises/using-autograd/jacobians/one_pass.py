"""`f` computes each of its 300 results from a single one of the 300 inputs. To get all 300 derivatives, `derivatives` runs 300 backward passes.

Return the same 300 derivatives with a single backward pass.
"""
# exercise: write
# covers: autograd.backward.grad-tensors-weight
# about: using-autograd/jacobians.md#the-rule
# hint: Result 7 depends only on input 7, so row 7 of the Jacobian of `f` has a single entry that is not 0.
# hint: The vector multiplies the rows of the Jacobian, and the products are added. In each column, only a single entry is not 0.
# hint: With a vector of ones, the sum of the rows contains all 300 entries that are not 0.

# %% start
import torch


def f(x):
    return torch.sin(x) * x**2


def derivatives(f, x):
    """Return the derivative of `f` at each element of `x`."""
    y = f(x)
    return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])


x = torch.linspace(-3, 3, 300, requires_grad=True)
print(derivatives(f, x)[:3])

# %% solution
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y))[0]

# %% right: the sum
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y.sum(), x)[0]

# %% check
_passes = []


def _watched(x):
    y = f(x)
    if y.requires_grad:
        y.register_hook(lambda grad: _passes.append(1))
    return y


_x = torch.tensor([-2.0, 0.5, 1.0, 2.5], requires_grad=True)
_result = derivatives(_watched, _x)
_at = _x.detach()
_expected = torch.cos(_at) * _at**2 + 2 * _at * torch.sin(_at)
assert isinstance(_result, torch.Tensor), "`torch.autograd.grad` returns a tuple, with one gradient for each input. Return its first element."
assert _result.shape == _x.shape, f"For 4 inputs there are 4 derivatives. Your result has the shape {tuple(_result.shape)}."
assert not torch.allclose(_result, _expected / 4, atol=1e-4), "Each derivative is a quarter of what it should be, because the mean divides by the number of results."
assert torch.allclose(_result, _expected, atol=1e-2), f"At the inputs {_at.tolist()}, the derivatives should be {_expected.tolist()}. Look at the vector with which the backward pass begins."
assert len(_passes) > 0 or not torch.allclose(_result, _expected, atol=1e-5), "This formula fits only this `f`. `derivatives` should work for other functions as well, so use a backward pass."
assert len(_passes) > 0, "These are finite differences: nearly right, and computed without a backward pass. Use autograd."
assert len(_passes) < 4, "The derivatives are right, but you still run one backward pass per result."
assert len(_passes) == 1, f"You run {len(_passes)} backward passes. The vectors that you use can be added, so that one pass is enough."

# %% wrong: the mean
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y.mean(), x)[0]

# %% wrong: the result as its own vector
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y, x, grad_outputs=y)[0]

# %% wrong: the whole Jacobian
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(len(x))])

# %% wrong: differences
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     with torch.no_grad():
# +         return (f(x + 1e-3) - f(x - 1e-3)) / 2e-3

# %% wrong: the formula for this function
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.cos(x) * x**2 + 2 * x * torch.sin(x)

# %% wrong: the tuple
# -     y = f(x)
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(f(x).sum(), x)

# %% wrong: half of the passes
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     half = torch.arange(len(x)) < len(x) // 2
# +     parts = [torch.autograd.grad(y, x, grad_outputs=side.float(), retain_graph=True)[0] for side in (half, ~half)]
# +     return parts[0] + parts[1]

# %% wrong: no vector
# error: RuntimeError: grad can be implicitly created only for scalar outputs
# hint: `y` holds many numbers, so `grad` needs a vector that says how much each of them counts.
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y, x)[0]
