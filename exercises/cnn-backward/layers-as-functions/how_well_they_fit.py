"""This layer computes how well $u_n$ fits $v_n$, as one number for each pair: $s_n = \\sum_{ij} u_{ni}\\,w_{ij}\\,v_{nj}$. Its `backward` is missing.

Write the three gradients, with respect to $u$, $w$ and $v$.
"""
# exercise: write
# covers: function.backward-return-count, function.linear-example-link
# about: cnn-backward/layers-as-functions.md#three-gradients
# hint: $u_{ni}$ occurs only in $s_n$. Its factor there is $\sum_j w_{ij} v_{nj}$.
# hint: $w_{ij}$ occurs in every $s_n$, with the factor $u_{ni} v_{nj}$. So its gradient is a sum over $n$.
# hint: `g` has one number for each pair. `g[:, None]` is a column that multiplies each row by its number.

# %% start
import torch


class Fit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, w, v):
        ctx.save_for_backward(u, w, v)
        return ((u @ w) * v).sum(1)

    @staticmethod
    def backward(ctx, g):
        u, w, v = ctx.saved_tensors
        return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)


torch.manual_seed(0)
u = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
w = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
v = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Fit.apply, (u, w, v), raise_exception=False))

# %% solution
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         u_weighted, v_weighted = g[:, None] * u, g[:, None] * v
# +         return v_weighted @ w.t(), u.t() @ v_weighted, u_weighted @ w

# %% right: with sums
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         column = g.reshape(-1, 1)
# +         return column * (v @ w.t()), (column * u).t() @ v, column * (u @ w)

# %% check
_u, _w, _v = (one.detach().clone().requires_grad_() for one in (u, w, v))
_arrives = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
_own = torch.autograd.grad((Fit.apply(_u, _w, _v) * _arrives).sum(), [_u, _w, _v])
_true = torch.autograd.grad((((_u @ _w) * _v).sum(1) * _arrives).sum(), [_u, _w, _v])
_ones = torch.autograd.grad(((_u @ _w) * _v).sum(), [_u, _w, _v])
_fits = [torch.allclose(a, b) for a, b in zip(_own, _true, strict=True)]
assert any(one.any() for one in _own), "All gradients are still zero."
assert not all(torch.allclose(a, b) for a, b in zip(_own, _ones, strict=True)), "Your gradients are right only if the upstream gradient is 1 for each pair. Multiply by `g`."
assert _fits[0], "The gradient of `u` isn't right. A number of `u` occurs in a single result, and its factor is made of `w` and `v`."
assert _fits[2], "The gradient of `u` is right, but that of `v` isn't. The factor of a number of `v` is made of `u` and `w`."
assert _fits[1], "The gradients of `u` and `v` are right, but that of `w` isn't. Each number of `w` occurs in the results of all pairs, so its gradient is a sum over the pairs."

# %% wrong: g forgotten
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         return v @ w.t(), u.t() @ v, u @ w

# %% wrong: only in the gradients of the rows
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         return g[:, None] * (v @ w.t()), u.t() @ v, g[:, None] * (u @ w)

# %% wrong: without the weights
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         along = (g[:, None] * v).sum(1, keepdim=True)
# +         return along.expand(4, 3), u.t() @ (g[:, None] * v), g[:, None] * (u @ w)

# %% wrong: v as if it were not weighted
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         return g[:, None] * (v @ w.t()), u.t() @ (g[:, None] * v), u @ w

# %% wrong: the pairs are mixed up
# error: RuntimeError: mat1 and mat2 shapes cannot be multiplied ...
# hint: Write down the shape of each factor, and look for the product that has the shape of the input.
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         return g @ v @ w, u.t() @ v, u @ w
