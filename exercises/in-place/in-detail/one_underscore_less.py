"""To save memory, each operation works in place, but now `backward` raises an error.

Replace only the in-place operation that overwrites a saved tensor, and leave the others in place.
"""
# exercise: repair
# covers: inplace.why-not-supported
# about: in-place/in-detail.md#when-they-cannot-work
# hint: Determine for each line what its operation saves: its input, its result, or nothing.
# hint: `sigmoid` saves its result, and `mul_` writes into it. A product with the number 2 saves no tensor.

# %% start
import torch

x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
h = x * 3
p = h.sigmoid_()
q = p.mul_(2)
r = q.sub_(1)
s = r.relu_()
s.sum().backward()
print(x.grad)

# %% solution
# - q = p.mul_(2)
# + q = p * 2

# %% right: an ordinary product, and an operator for the difference
# - q = p.mul_(2)
# - r = q.sub_(1)
# + q = 2 * p
# + q -= 1
# + r = q

# %% check
_x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
((_x * 3).sigmoid() * 2 - 1).relu().sum().backward()
assert torch.allclose(x.grad, _x.grad), "There is no error, but the gradient is wrong, because `backward` used numbers that are no longer the result of the sigmoid."
assert p.data_ptr() == h.data_ptr(), "The gradient is right, but the sigmoid can work in place, because no node has saved `h`."
assert s.data_ptr() == q.data_ptr(), "The gradient is right, but more operations can work in place. A product with a number and a difference save no tensor, so the next operation may overwrite their results."

# %% wrong: everything ordinary
# - p = h.sigmoid_()
# - q = p.mul_(2)
# - r = q.sub_(1)
# - s = r.relu_()
# + p = h.sigmoid()
# + q = p * 2
# + r = q - 1
# + s = r.relu()

# %% wrong: the last two ordinary
# - q = p.mul_(2)
# - r = q.sub_(1)
# - s = r.relu_()
# + q = p * 2
# + r = q - 1
# + s = r.relu()

# %% wrong: past the counter
# - q = p.mul_(2)
# - r = q.sub_(1)
# - s = r.relu_()
# + q = p
# + q.data.mul_(2)
# + r = q - 1
# + s = r.relu_()

# %% wrong: detached
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: `detach` removes the error, but no graph leads from `q` to `x` any more, so `backward` has nothing to differentiate.

# - q = p.mul_(2)
# + q = p.detach() * 2
