"""For the scores `S = X @ W.T + b`, the function `gradients` gets `g`, the gradient of the loss with respect to the scores. So far it returns zeros.

Return the gradients of the loss with respect to `W`, `b` and `X`, without calling `backward`.
"""
# exercise: write
# covers: graph.xw-grad
# about: using-autograd/vector-jacobian.md#a-matrix-of-weights
# hint: Write down the shapes of `g`, `X` and `W`. Each gradient has the shape of its tensor.
# hint: `b` is added to every row of the scores. What is broadcast in the forward pass is summed in the backward pass.
# hint: For the gradient with respect to `X`, look for a product of `g` and `W` that has the shape of `X`.

# %% start
import torch


def gradients(g, X, W):
    """Return the gradients with respect to W, b and X. `g` has one row per picture."""
    return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)


X, W = torch.rand(5, 64), torch.rand(10, 64)
print(*(tuple(gradient.shape) for gradient in gradients(torch.rand(5, 10), X, W)))

# %% solution
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.sum(dim=0), g @ W

# %% check
torch.manual_seed(0)
_X, _W, _b = (torch.randn(*_shape, requires_grad=True) for _shape in ((4, 3), (2, 3), (2,)))
_g = torch.randn(4, 2)
(_X @ _W.T + _b).backward(_g)
_dW, _db, _dX = gradients(_g, _X.detach(), _W.detach())
assert _dW.shape == _W.shape and _dX.shape == _X.shape, "A gradient has the shape of its tensor. Compare the shapes that your function returns with those of `W` and `X`."
assert torch.allclose(_dW, _W.grad, atol=1e-5), "The gradient of `W` has the right shape but wrong numbers. For each weight, sum over the pictures: the gradient of the score times the pixel."
assert _db.shape != (1, 2), "For two digits, `b` has the shape (2,), and your gradient has the shape (1, 2). Sum over the pictures without `keepdim`."
assert _db.shape == _b.shape, "`b` holds one number per digit, so its gradient holds one number per digit."
assert torch.allclose(_db, _b.grad, atol=1e-5), "`b` is used once for every picture, so its gradient is the *sum* over the pictures."
assert torch.allclose(_dX, _X.grad, atol=1e-5), "The gradients of `W` and `b` are right. Each pixel of `X` is multiplied by one weight for each digit, so sum over the digits."

# %% wrong: the other way round
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return X.T @ g, g.sum(dim=0), g @ W

# %% wrong: a bias for each picture
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g, g @ W

# %% wrong: a row for the bias
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.sum(dim=0, keepdim=True), g @ W

# %% wrong: the mean over the pictures
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.mean(dim=0), g @ W

# %% wrong: nothing for the picture
# -     return torch.zeros_like(W), torch.zeros(len(W)), torch.zeros_like(X)
# +     return g.T @ X, g.sum(dim=0), torch.zeros_like(X)
