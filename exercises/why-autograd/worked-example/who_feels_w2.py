"""The program runs twice, with 3 and with 5 for `w2`, so some of the gradients change. Point at the tensors whose gradient is the same both times.

You need no numbers, only what each node multiplies by.
"""
# exercise: point
# covers: graph.example.hand-derivation
# about: why-autograd/worked-example.md#by-hand
# at: tensors
# answer: where any(it is part and torch.equal(first, second) for part, first, second in zip(parts, *gradients))
# hint: Begin at the loss. The mean sends 1/4 to each element of `both`, whatever their values are.
# hint: A product sends to each factor what arrives, times *the other* factor. Only `left` changes with `w2`.
# hint: What arrives at `right` is multiplied by `left`, so it changes. Follow to which tensors `right` sends it.

# %% start
import torch

gradients = []
for value in (3.0, 5.0):
    image = torch.ones(2, 2)
    w1 = torch.tensor(2.0, requires_grad=True)
    w2 = torch.tensor(value, requires_grad=True)
    w3 = torch.tensor(4.0, requires_grad=True)
    stem = image * w1
    left = stem + w2
    right = stem * w3
    both = left * right
    loss = both.mean()
    parts = [w1, w2, w3, stem, left, right, both]
    gradients.append(torch.autograd.grad(loss, parts))  # the gradient of each part

# %% wrong: right; w3; stem; w1
# hint: These are exactly the ones that change. Point at the others.

# %% wrong: w1; w3
# hint: `w2` occurs in neither of their lines. But their gradients come through `right`, and what arrives at `right` was multiplied by `left`.

# %% wrong: both
# hint: `both` is one of them, but there are more. The product sends `right` to `left`, and `right` doesn't change with `w2`.

# %% wrong: left; both
# hint: Two of three. `left` is a sum, so what arrives there goes on to `w2` unchanged.

# %% wrong: w2; left; right; both
# hint: One too many: what arrives at `right` was multiplied by `left`, and `left` is `stem + w2`.

# %% wrong: w1; w2; w3; stem; left; right; both
# hint: Not all of them: what arrives at `right` was multiplied by `left`, which contains `w2`, and all that comes through `right` changes with it.

# %% wrong: stem; right; left; both
# hint: `stem` gets a contribution through `left` and one through `right`. The one through `right` was multiplied by `left`, which contains `w2`.
