"""To save memory, each operation works in place, and now `backward` refuses. Take away what must go, and leave the rest in place."""
# exercise: repair
# covers: inplace.why-not-supported
# about: in-place/supported.md#when-they-cannot-work
# hint: For each line, say what its operation keeps: its input, its result, or nothing.
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
assert torch.allclose(x.grad, _x.grad), "It runs, and the gradient is wrong: backward took numbers that were no longer those of the sigmoid."
assert p.data_ptr() == h.data_ptr(), "The gradient is right. But nobody had saved `h`: the sigmoid could have worked in place."
assert s.data_ptr() == q.data_ptr(), "The gradient is right. But a product with a number, and a difference, keep no tensor: what follows them could have worked in place."

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
# hint: Detached from the graph, there is nothing to refuse and nothing to differentiate.

# - q = p.mul_(2)
# + q = p.detach() * 2
