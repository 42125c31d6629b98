"""This class multiplies each row of a batch by a different weight. It ran for months on batches of four pictures with four numbers each, but for a batch of three pictures `backward` raises an error.

Repair the class. The gradients must be right for batches of any size, four pictures with four numbers included.
"""
# exercise: repair
# covers: function.backward-return-count
# about: extending/arguments.md#backward-returns-one-value-per-input
# hint: Print the shape of the gradient that `backward` returns for `weights`, and compare it with the shape of `weights`.
# hint: `weights[2]` is used for every number in row 2 of the result. Its gradient is the sum over these.

# %% start
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, batch, weights):
        ctx.save_for_backward(batch, weights)
        return batch * weights[:, None]

    @staticmethod
    def backward(ctx, grad_output):
        batch, weights = ctx.saved_tensors
        return grad_output * weights[:, None], grad_output * batch


torch.manual_seed(0)
batch = torch.rand(3, 4)
weights = torch.ones(3, requires_grad=True)
ScaleRows.apply(batch, weights).sum().backward()
print(weights.grad)

# %% solution
# -         return grad_output * weights[:, None], grad_output * batch
# +         return grad_output * weights[:, None], (grad_output * batch).sum(1)

# %% check
def _gradients(n, m):
    _batch = (torch.arange(n * m, dtype=torch.float32).reshape(n, m) ** 2).requires_grad_()
    _weights = torch.arange(1.0, n + 1, requires_grad=True)
    _upstream = torch.linspace(-1, 2, n * m).reshape(n, m)
    try:
        _ours = torch.autograd.grad(ScaleRows.apply(_batch, _weights), (_batch, _weights), _upstream, allow_unused=True)
    except RuntimeError:
        return None
    _theirs = torch.autograd.grad(_batch * _weights[:, None], (_batch, _weights), _upstream)
    return [_a is not None and torch.allclose(_a, _b, rtol=1e-4) for _a, _b in zip(_ours, _theirs, strict=True)]


_same = {_shape: _gradients(*_shape) for _shape in ((4, 4), (3, 4), (5, 2))}
assert _same[3, 4] is not None and _same[5, 2] is not None, "There is still an error for some batches. Try five pictures with two numbers each."
assert all(_pair[0] for _pair in _same.values()), "The gradient of `batch` was right before, and now it is wrong."
assert _same[4, 4][1] or _same[3, 4][1], "There is no error for any batch, but the gradient of `weights` is wrong. Each weight multiplies a row, so its gradient is the sum over this row."
assert _same[4, 4][1] and _same[3, 4][1], "For three pictures the gradients are right. For four pictures of four numbers, PyTorch still sums the returned matrix itself, over the wrong dimension."

# %% wrong: summed over the pictures
# -         return grad_output * weights[:, None], grad_output * batch
# +         return grad_output * weights[:, None], (grad_output * batch).sum(0)[: len(weights)]

# %% wrong: summed in one case
# -         return grad_output * weights[:, None], grad_output * batch
# +         of_weights = grad_output * batch
# +         if len(weights) != batch.shape[1]:
# +             of_weights = of_weights.sum(1)
# +         return grad_output * weights[:, None], of_weights

# %% wrong: no gradient for the weights
# -         return grad_output * weights[:, None], grad_output * batch
# +         return grad_output * weights[:, None], None

# %% wrong: the sum and nothing for the batch
# -         return grad_output * weights[:, None], grad_output * batch
# +         return grad_output, (grad_output * batch).sum(1)
