"""Write the step of Adam: `step` should change `w` and the two averages in place, as `torch.optim.Adam` does.

Use the formulas of the page. `t` is 1 in the first step.
"""
# exercise: write
# covers: train.loss-optimizer
# about: training/optimizers.md#what-adam-does
# hint: Update the two averages first, with the gradient of this step.
# hint: The averages begin at zero, so they are too small at first. Divide them by $1 - \beta_1^{\,t}$ and $1 - \beta_2^{\,t}$.

# %% start
import torch


def step(w, g, m, v, t, lr=0.1, beta1=0.9, beta2=0.999, eps=1e-8):
    """One step for the weights `w` with the gradient `g`; `m` and `v` are the two averages. All four have one shape."""
    w -= lr * g


w, m, v = torch.tensor([1.0, 1.0]), torch.zeros(2), torch.zeros(2)
for t in range(1, 4):
    step(w, torch.tensor([2.0, 0.002]) * w, m, v, t)
    print(w)

# %% solution
# -     w -= lr * g
# +     m.mul_(beta1).add_(g, alpha=1 - beta1)
# +     v.mul_(beta2).add_(g * g, alpha=1 - beta2)
# +     m_hat, v_hat = m / (1 - beta1**t), v / (1 - beta2**t)
# +     w -= lr * m_hat / (v_hat.sqrt() + eps)

# %% right: in other words
# -     w -= lr * g
# +     m[:] = beta1 * m + (1 - beta1) * g
# +     v[:] = beta2 * v + (1 - beta2) * g**2
# +     w.sub_(lr * m / (1 - beta1**t) / ((v / (1 - beta2**t)) ** 0.5 + eps))

# %% check
def _both(lr, beta1, beta2, eps, steps):
    _theirs = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
    _optimizer = torch.optim.Adam([_theirs], lr=lr, betas=(beta1, beta2), eps=eps)
    _w, _m, _v = _theirs.detach().clone(), torch.zeros(3), torch.zeros(3)
    for _t in range(1, steps + 1):
        _g = torch.tensor([3.0, 0.01, -1.0 * _t])
        _theirs.grad = _g.clone()
        _optimizer.step()
        step(_w, _g, _m, _v, _t, lr, beta1, beta2, eps)
    return _w, _theirs.detach(), _m, _v


_w, _theirs, _m, _v = _both(0.1, 0.9, 0.999, 1e-8, 1)
assert not torch.equal(_w, torch.tensor([1.0, -2.0, 0.5])), "`w` hasn't moved. Change it in place with `w -= ...`. The line `w = w - ...` only gives a name to a new tensor."
_length = (_w - torch.tensor([1.0, -2.0, 0.5])).abs()
assert _length[1] > 0.002, f"Where the gradient is 0.01, the first step is {_length[1]:.3f} long. Adam divides by the root of the average square, so this step should be as long as the others."
assert (_m != 0).all() and (_v != 0).all(), "After a step, the averages `m` and `v` are still zero. The next step needs them, so change them in place."
assert (_length > 0.09).all(), f"The first step is {_length[0]:.4f} long but should be 0.1. The averages begin at zero and are too small, so correct them."
assert (_length < 0.11).all(), f"The first step is {_length[0]:.4f} long but should be 0.1. Divide by the root of the average square."
_w, _theirs, _m, _v = _both(0.1, 0.9, 0.999, 1e-8, 5)
assert torch.allclose(_w, _theirs, atol=1e-5), "The first step agrees with `torch.optim.Adam`, but the later ones don't. The divisors of both averages depend on `t`."
_w, _theirs, _m, _v = _both(0.1, 0.5, 0.8, 0.5, 5)
assert torch.allclose(_w, _theirs, atol=1e-5), "With `eps=0.5`, the result differs from Adam. Add `eps` to the root, and not inside the root."

# %% wrong: without the correction
# -     w -= lr * g
# +     m.mul_(beta1).add_(g, alpha=1 - beta1)
# +     v.mul_(beta2).add_(g * g, alpha=1 - beta2)
# +     w -= lr * m / (v.sqrt() + eps)

# %% wrong: no averages
# -     w -= lr * g
# +     w -= lr * g / (g.abs() + eps)

# %% wrong: a new tensor
# -     w -= lr * g
# +     m.mul_(beta1).add_(g, alpha=1 - beta1)
# +     v.mul_(beta2).add_(g * g, alpha=1 - beta2)
# +     w = w - lr * m / (1 - beta1**t) / ((v / (1 - beta2**t)).sqrt() + eps)

# %% wrong: no correction that ends
# -     w -= lr * g
# +     m.mul_(beta1).add_(g, alpha=1 - beta1)
# +     v.mul_(beta2).add_(g * g, alpha=1 - beta2)
# +     w -= lr * m / (1 - beta1) / ((v / (1 - beta2)).sqrt() + eps)

# %% wrong: eps under the root
# -     w -= lr * g
# +     m.mul_(beta1).add_(g, alpha=1 - beta1)
# +     v.mul_(beta2).add_(g * g, alpha=1 - beta2)
# +     w -= lr * m / (1 - beta1**t) / (v / (1 - beta2**t) + eps).sqrt()

# %% wrong: divided by the square
# -     w -= lr * g
# +     m.mul_(beta1).add_(g, alpha=1 - beta1)
# +     v.mul_(beta2).add_(g * g, alpha=1 - beta2)
# +     w -= lr * m / (1 - beta1**t) / (v / (1 - beta2**t) + eps)
