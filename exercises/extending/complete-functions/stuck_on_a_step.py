"""`Round` rounds the weight in the forward pass and passes the gradient on unchanged, but in this program the weight doesn't change.

Repair the program and leave `Round` as it is. At the end the loss must be 0.
"""
# exercise: repair
# covers: function.apply
# about: extending/complete-functions.md#only-through-apply
# hint: Print `rounded.grad_fn`. It is the node of `torch.round`, not of `Round`.
# hint: The derivative of `torch.round` is zero. Called as a plain function, `Round.forward` records `torch.round`.

# %% start
import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return g


w = torch.tensor([0.3], requires_grad=True)
for step in range(20):
    rounded = Round.forward(None, w)
    loss = ((5 * rounded - 15) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.004 * w.grad
    w.grad = None
print(w, loss)

# %% solution
# -     rounded = Round.forward(None, w)
# +     rounded = Round.apply(w)

# %% right: a name for it
# -     rounded = Round.forward(None, w)
# +     straight = Round.apply
# +     rounded = straight(w)

# %% check
assert not torch.equal(w.detach(), torch.tensor([0.3])), "The weight is still 0.3, because the gradient that reaches it is zero."
assert torch.equal(rounded.detach(), rounded.detach().round()), "The weight changes now, but it is no longer rounded."
assert rounded.grad_fn is not None and rounded.grad_fn.name() == "RoundBackward", "The weight changes now, but the program doesn't use `Round`."
assert loss.item() == 0, f"The loss ends at {loss.item():.4f} instead of 0. Leave the size of the steps as it is."

# %% wrong: without rounding
# -     rounded = Round.forward(None, w)
# +     rounded = w * 1

# %% wrong: without the class
# -     rounded = Round.forward(None, w)
# +     rounded = w + (torch.round(w) - w).detach()

# %% wrong: an object of the class
# error: RuntimeError: Legacy autograd function ...
# hint: An object of the class can't be called. The method `apply` of the class creates the node.
# -     rounded = Round.forward(None, w)
# +     rounded = Round()(w)

# %% wrong: another step
# -     rounded = Round.forward(None, w)
# +     rounded = Round.apply(w)

# -         w -= 0.004 * w.grad
# +         w -= 0.0004 * w.grad
