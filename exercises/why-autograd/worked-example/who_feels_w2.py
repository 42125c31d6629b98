"""The program runs twice, with 3 and with 5 for `w2`. Which gradients are the same both times?

Find them with what you know of the nodes; no numbers are needed.
"""
# exercise: point
# covers: graph.example.hand-derivation
# about: why-autograd/worked-example.md#by-hand
# at: tensors
# answer: where any(it is part and torch.equal(first, second) for part, first, second in zip(parts, *gradients))
# hint: Begin at the loss. The mean hands a quarter to each element of `both`, whatever their values are.
# hint: A product sends each factor what arrives times *the other* factor. Which factor changes with `w2`?
# hint: What passes through a tensor whose gradient changes has changed, too.

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
# hint: These are exactly those that change. Which lie on the way that `w2` cannot disturb?

# %% wrong: w1; w3
# hint: `w2` occurs in neither of their lines. But their gradients come through `right`, and what arrives there was multiplied by `left`.

# %% wrong: both
# hint: Right, and not all. What does the product send to `left`, and does `w2` occur in it?

# %% wrong: left; both
# hint: Two of three. The sum passes on what arrives, unchanged. To whom?

# %% wrong: w2; left; right; both
# hint: One too many. What arrives at `right` is multiplied by `left`, and `left` is `stem + w2`.

# %% wrong: w1; w2; w3; stem; left; right; both
# hint: Not all. A product multiplies by the other factor, and one of the factors here has `w2` in it.

# %% wrong: stem; right; left; both
# hint: `stem` gets a share from each of `left` and `right`. Is the share from `right` the same both times?
