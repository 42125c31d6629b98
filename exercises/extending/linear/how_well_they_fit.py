"""How well does $u_n$ fit $v_n$? This layer answers with one number for each pair, $s_n = \\sum_{ij} u_{ni}\\,w_{ij}\\,v_{nj}$. Write the three gradients."""
# exercise: write
# covers: function.backward-return-count, function.linear-example-link
# about: extending/linear.md#three-gradients
# hint: $u_{ni}$ occurs in $s_n$ alone. Its factor there is $\sum_j w_{ij} v_{nj}$.
# hint: $w_{ij}$ occurs in every $s_n$, with the factor $u_{ni} v_{nj}$. So its gradient is a sum over $n$.
# hint: `g` has one number for each pair. `g[:, None]` is a column, and multiplies each row by its own.

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
assert not all(torch.allclose(a, b) for a, b in zip(_own, _ones, strict=True)), "That is right when a one arrives for each pair. What arrives is `g`."
assert _fits[0], "The gradient of `u` isn't right. In which results does one number of `u` occur, and with which factor?"
assert _fits[2], "`u` is right, and `v` isn't. The same question from the other side: the factor is made of `u` and `w`."
assert _fits[1], "`u` and `v` are right, and `w` isn't. Each number of `w` occurs in all pairs, so there are as many terms to sum."

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
# hint: Write the shape of each factor beside it, and look for the product that has the shape of the input.
# -         return torch.zeros_like(u), torch.zeros_like(w), torch.zeros_like(v)
# +         return g @ v @ w, u.t() @ v, u @ w
