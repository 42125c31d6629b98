"""The scores are `S = X @ W.T + b`, and you know the gradient of the loss by the scores, `g`. Write the gradients of `W`, `b` and `X`, without `backward`."""
# exercise: write
# covers: graph.xw-grad
# about: using-autograd/vector-jacobian.md#the-shapes-leave-one-choice
# hint: Write down the four shapes. Each gradient has the shape of its tensor.
# hint: `b` was stretched over the rows. What happens on the way back?

# %% start
import torch


def gradients(g, X, W):
    """For `g` of shape (pictures, answers): the gradients of W, b and X, as a tuple."""
    return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)


X, W = torch.rand(5, 64), torch.rand(10, 64)
print(*(tuple(one.shape) for one in gradients(torch.rand(5, 10), X, W)))

# %% solution
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.sum(dim=0), g @ W

# %% check
torch.manual_seed(0)
_X, _W, _b = (torch.randn(*_shape, requires_grad=True) for _shape in ((4, 3), (2, 3), (2,)))
_g = torch.randn(4, 2)
(_X @ _W.T + _b).backward(_g)
_dW, _db, _dX = gradients(_g, _X.detach(), _W.detach())
assert _dW.shape == _W.shape and _dX.shape == _X.shape, "A gradient has the shape of its tensor. Print yours, for `W` and for `X`."
assert torch.allclose(_dW, _W.grad, atol=1e-5), "The shape of `W`'s gradient fits, and the numbers don't. Each weight met one pixel of every picture: which product sums over the pictures?"
assert _db.shape == _b.shape, "`b` has one number per answer, and so has its gradient."
assert torch.allclose(_db, _b.grad, atol=1e-5), "`b` was used once for every picture. What is stretched forward is *summed* backward."
assert torch.allclose(_dX, _X.grad, atol=1e-5), "The gradients of `W` and `b` are right. Each pixel of `X` met one weight of every answer."

# %% wrong: the other way round
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return X.T @ g, g.sum(dim=0), g @ W

# %% wrong: a bias for each picture
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g, g @ W

# %% wrong: the mean over the pictures
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.mean(dim=0), g @ W

# %% wrong: nothing for the picture
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.sum(dim=0), torch.zeros_like(X)
