"""Two losses share a network. Write `agreement`, which returns the cosine of the angle between the gradients of the two losses, taken over all `weights` together.

A cosine of 1 means that both gradients have the same direction, and -1 that they have opposite directions. No `.grad` may change.
"""
# exercise: write
# covers: autograd.grad.signature
# about: using-autograd/grad.md#inputs-that-were-not-used
# hint: `torch.cat([g.flatten() for g in gradients])` joins several gradients into one long vector.
# hint: Both losses go through `trunk`, and the first call frees that part of the graph.
# hint: `first_head` has no part in the second loss, so its gradient there is 0.

# %% start
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(16, 3)
trunk = torch.randn(3, 4, requires_grad=True)
first_head = torch.randn(4, requires_grad=True)
second_head = torch.randn(4, requires_grad=True)


def agreement(first, second, weights):
    """The cosine of the angle between the gradients of the losses `first` and `second`, as a tensor with one number."""
    return torch.tensor(0.0)


hidden = torch.tanh(x @ trunk)
first, second = (hidden @ first_head).square().mean(), (hidden @ second_head - 1).square().mean()
print(agreement(first, second, [trunk, first_head, second_head]))

# %% solution
# -     return torch.tensor(0.0)
# +     longs = []
# +     for loss in (first, second):
# +         gradients = torch.autograd.grad(loss, weights, retain_graph=True, materialize_grads=True)
# +         longs.append(torch.cat([g.flatten() for g in gradients]))
# +     return F.cosine_similarity(longs[0], longs[1], dim=0)

# %% right: None replaced by hand
# -     return torch.tensor(0.0)
# +     longs = []
# +     for loss in (first, second):
# +         gradients = torch.autograd.grad(loss, weights, retain_graph=True, allow_unused=True)
# +         longs.append(torch.cat([(torch.zeros_like(w) if g is None else g).flatten() for w, g in zip(weights, gradients)]))
# +     a, b = longs
# +     return (a @ b) / (a.norm() * b.norm())

# %% check
for _w in (trunk, first_head, second_head):
    _w.grad = None
_hidden = torch.tanh(x @ trunk)
_one, _two = (_hidden @ first_head).square().mean(), (_hidden @ second_head - 1).square().mean()
_answer = agreement(_one, _two, [trunk, first_head, second_head])
assert all(_w.grad is None for _w in (trunk, first_head, second_head)), "The gradients of the two losses are now in `.grad`, and the next step of an optimizer would use them."
_g = []
for _loss in (_one, _two):
    _hidden = torch.tanh(x @ trunk)
    _fresh = (_hidden @ first_head).square().mean() if _loss is _one else (_hidden @ second_head - 1).square().mean()
    _g.append(torch.autograd.grad(_fresh, [trunk, first_head, second_head], materialize_grads=True))
_a, _b = (torch.cat([_p.flatten() for _p in _part]) for _part in _g)
_want = (_a @ _b / (_a.norm() * _b.norm())).item()
_trunk = (_g[0][0].flatten() @ _g[1][0].flatten() / (_g[0][0].norm() * _g[1][0].norm())).item()
assert abs(float(_answer)) > 1e-6, "The function computes nothing yet."
assert abs(float(_answer) - _trunk) > 1e-5, "This is the cosine over `trunk` alone. A head that only one loss uses makes the vector of that loss longer, and so the cosine smaller."
assert abs(float(_answer) - (_a @ _b).item()) > 1e-5, "This is the product of the two vectors. Divide it by both lengths, so that the lengths don't count."
assert abs(float(_answer) - _want) < 1e-5, f"Over all three weights the cosine is {_want:.4f}, and yours is {float(_answer):.4f}."

# %% wrong: only the weights that both use
# -     return torch.tensor(0.0)
# +     a, b = (torch.autograd.grad(loss, weights[0], retain_graph=True)[0].flatten() for loss in (first, second))
# +     return F.cosine_similarity(a, b, dim=0)

# %% wrong: by backward
# -     return torch.tensor(0.0)
# +     longs = []
# +     for loss in (first, second):
# +         for w in weights:
# +             w.grad = torch.zeros_like(w)
# +         loss.backward(retain_graph=True)
# +         longs.append(torch.cat([w.grad.flatten() for w in weights]))
# +     return F.cosine_similarity(longs[0], longs[1], dim=0)

# %% wrong: the product
# -     return torch.tensor(0.0)
# +     longs = []
# +     for loss in (first, second):
# +         gradients = torch.autograd.grad(loss, weights, retain_graph=True, materialize_grads=True)
# +         longs.append(torch.cat([g.flatten() for g in gradients]))
# +     return longs[0] @ longs[1]

# %% wrong: the sum of both
# -     return torch.tensor(0.0)
# +     both = torch.autograd.grad([first, second], weights, retain_graph=True)
# +     one = torch.autograd.grad(first, weights, retain_graph=True, materialize_grads=True)
# +     return F.cosine_similarity(torch.cat([g.flatten() for g in both]), torch.cat([g.flatten() for g in one]), dim=0)

# %% wrong: nothing retained
# error: RuntimeError: Trying to backward through the graph a second time ...
# hint: The first call has freed what `tanh` had saved, and the second loss needs it again.
# -     return torch.tensor(0.0)
# +     longs = []
# +     for loss in (first, second):
# +         gradients = torch.autograd.grad(loss, weights, materialize_grads=True)
# +         longs.append(torch.cat([g.flatten() for g in gradients]))
# +     return F.cosine_similarity(longs[0], longs[1], dim=0)

# %% wrong: every weight used
# error: RuntimeError: The differentiated Tensor at index 2 appears to not have been used in the graph. ...
# hint: A head has no part in the loss of the other, so its gradient there is 0. `materialize_grads=True` returns zeros in such a case.
# -     return torch.tensor(0.0)
# +     longs = []
# +     for loss in (first, second):
# +         gradients = torch.autograd.grad(loss, weights, retain_graph=True)
# +         longs.append(torch.cat([g.flatten() for g in gradients]))
# +     return F.cosine_similarity(longs[0], longs[1], dim=0)
