"""In this program, `losses.backward(vector)` has replaced `losses.mean().backward()`. Since then the training diverges, although the learning rate is the same.

Let `vector_for` return the vector with which `losses.backward(vector)` computes the gradient of the mean, for any number of losses.
"""
# exercise: write
# covers: autograd.backward.grad-tensors-weight
# about: using-autograd/jacobians.md#two-results-one-gradient
# hint: With ones, each loss counts once, so `backward` computes the gradient of the sum. In the mean, each loss counts less.
# hint: In the mean of $n$ losses, each counts $1/n$. The vector needs the shape of `losses`.

# %% start
import torch


def vector_for(losses):
    return torch.ones_like(losses)


x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

for step in range(40):
    losses = (w * x + b - y) ** 2
    optimizer.zero_grad()
    losses.backward(vector_for(losses))
    optimizer.step()
print(w, b, losses)

# %% solution
# -     return torch.ones_like(losses)
# +     return torch.ones_like(losses) / len(losses)

# %% right: filled with one number
# -     return torch.ones_like(losses)
# +     return torch.full_like(losses, 1 / losses.numel())

# %% check
def _counts_equally(_vector, _n):
    return _vector.shape == (_n,) and torch.allclose(_vector, torch.full((_n,), 1 / _n))


_vectors = [vector_for(torch.arange(1.0, _n + 1)) for _n in (2, 4, 5)]
assert not torch.equal(_vectors[1], torch.ones(4)) or optimizer.param_groups[0]["lr"] == 0.5, "A smaller learning rate hides the difference for four losses. With five losses it would be wrong again, because the sum is five times the mean."
assert not torch.equal(_vectors[1], torch.ones(4)), "With a vector of ones, `backward` still computes the gradient of the sum, four times that of the mean."
assert not _counts_equally(_vectors[1], 4) or _counts_equally(_vectors[2], 5), "For four losses this is the gradient of the mean. For five losses each of them has to count a fifth."
assert all(_counts_equally(_v, _n) for _v, _n in zip(_vectors, (2, 4, 5), strict=True)), f"In the mean of four losses, each counts a quarter. Your vector for the losses 1, 2, 3 and 4 is {_vectors[1].tolist()}."
assert abs(w.item() - 1.2) < 0.02 and abs(b.item() + 0.1) < 0.02, "The vector is right. Leave the training as it was, so that `w` and `b` reach 1.2 and -0.1."

# %% wrong: a smaller learning rate
# - optimizer = torch.optim.SGD([w, b], lr=0.5)
# + optimizer = torch.optim.SGD([w, b], lr=0.125)

# %% wrong: a quarter for any number
# -     return torch.ones_like(losses)
# +     return torch.full_like(losses, 0.25)

# %% wrong: each loss weighted by itself
# -     return torch.ones_like(losses)
# +     return losses.detach() / len(losses)

# %% wrong: a single number
# error: RuntimeError: Mismatch in shape: ...
# hint: The vector isn't broadcast. It needs one number for each loss, in the shape of `losses`.

# -     return torch.ones_like(losses)
# +     return torch.tensor(1 / len(losses))

# %% wrong: the right vector, and a smaller step
# -     return torch.ones_like(losses)
# +     return torch.ones_like(losses) / len(losses)

# - optimizer = torch.optim.SGD([w, b], lr=0.5)
# + optimizer = torch.optim.SGD([w, b], lr=0.05)
