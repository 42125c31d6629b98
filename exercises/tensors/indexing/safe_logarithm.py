"""`entropy` adds up −p · log(p) and counts 0 where p is 0. Its value is right, but its gradient contains a `nan`. Repair it: where p is 0, the gradient should be 0."""
# exercise: repair
# covers: tensor-ops.table.where
# about: tensors/indexing.md#where
# hint: `where` computes both branches, and the derivative of `log` at 0 is infinite.
# hint: The logarithm must not receive a 0, even where its result isn't selected.
# hint: Use `where` twice: first put a 1 where p is 0, then take the logarithm.

# %% start
import torch


def entropy(p):
    return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()


p = torch.tensor([0.0, 0.5, 0.5], requires_grad=True)
value = entropy(p)
value.backward()
print(value, p.grad)

# %% solution
# -     return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
# +     safe = torch.where(p > 0, p, torch.ones_like(p))
# +     return -torch.where(p > 0, p * torch.log(safe), torch.zeros_like(p)).sum()

# %% right: only the others selected
# -     return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
# +     some = p[p > 0]
# +     return -(some * torch.log(some)).sum()

# %% check
_p = torch.tensor([0.25, 0.0, 0.75], requires_grad=True)
_value = entropy(_p)
assert not torch.isnan(_value), "Now the value itself is `nan`: 0 times minus infinity."
assert abs(_value.item() - 0.5623351) < 1e-5, f"The value should be 0.5623, and it is {_value.item():.4f}."
_value.backward()
assert not torch.isnan(_p.grad).any(), "There is still a `nan` in the gradient, because the infinite derivative of the logarithm at 0 is multiplied by 0."
assert torch.allclose(_p.grad[[0, 2]], torch.tensor([0.3862944, -0.7123179]), atol=1e-5), "Where p isn't 0, the gradient is minus log(p) minus 1. Yours differs."
assert _p.grad[1] == 0, f"At p = 0 the gradient should be 0, and it is {_p.grad[1].item():.4f}."

# %% wrong: no choice at all
# -     return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
# +     return -(p * torch.log(p)).sum()

# %% wrong: a little added everywhere
# -     return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
# +     return -(p * torch.log(p + 1e-12)).sum()

# %% wrong: a larger bit added
# -     return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
# +     return -(p * torch.log(p + 0.01)).sum()

# %% wrong: the logarithm without its gradient
# -     return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
# +     safe = torch.where(p > 0, p, torch.ones_like(p)).detach()
# +     return -torch.where(p > 0, p * torch.log(safe), torch.zeros_like(p)).sum()
