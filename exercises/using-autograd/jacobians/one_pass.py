"""`f` treats each of 300 numbers by itself. `slopes` finds the slope at each of them with 300 backward passes. Write it with a single pass."""
# exercise: write
# covers: autograd.backward.grad-tensors-weight
# about: using-autograd/jacobians.md#the-rule
# hint: What does the Jacobian of `f` look like, if result 7 depends on input 7 alone?
# hint: The vector that you give sums up the rows. How many numbers of a column are not zero?

# %% start
import torch


def f(x):
    return torch.sin(x) * x**2


def slopes(f, x):
    """The slope of `f` at each element of `x`, in one pass."""
    y = f(x)
    return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])


x = torch.linspace(-3, 3, 300, requires_grad=True)
print(slopes(f, x)[:3])

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
_found = slopes(_watched, _x)
_at = _x.detach()
_want = torch.cos(_at) * _at**2 + 2 * _at * torch.sin(_at)
assert _found.shape == _x.shape, f"There are 4 elements and 4 slopes. Yours has the shape {tuple(_found.shape)}."
assert not torch.allclose(_found, _want / 4, atol=1e-4), "Each slope is a quarter of what it should be. Who divided by the number of elements?"
assert torch.allclose(_found, _want, atol=1e-2), f"The slopes should be {_want.tolist()}. With which vector do you begin?"
assert len(_passes) > 0, "These are differences and not a backward pass: nearly right, and with two calls of `f`."
assert len(_passes) < 4, "Still a pass for each element."
assert len(_passes) == 1, f"{len(_passes)} passes for 4 elements. Can the vectors that you gave be added up?"

# %% wrong: the mean
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y.mean(), x)[0]

# %% wrong: the result as its own weight
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y, x, grad_outputs=y)[0]

# %% wrong: the whole Jacobian
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(len(x))])

# %% wrong: differences
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     with torch.no_grad():
# +         return (f(x + 1e-3) - f(x - 1e-3)) / 2e-3

# %% wrong: half of the passes
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     half = torch.arange(len(x)) < len(x) // 2
# +     parts = [torch.autograd.grad(y, x, grad_outputs=side.float(), retain_graph=True)[0] for side in (half, ~half)]
# +     return parts[0] + parts[1]

# %% wrong: no vector
# error: RuntimeError: grad can be implicitly created only for scalar outputs
# hint: `y` has many elements. How much is each of them to count?
# -     return torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0][i] for i in range(len(x))])
# +     return torch.autograd.grad(y, x)[0]
