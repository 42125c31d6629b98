"""In which order will `backward` run these nodes?"""
# exercise: point
# covers: graph.nodes-edges
# about: why-autograd/worked-example.md#by-backward
# at: order
# hint: A node runs when all that was made from its result has run.
# hint: Of two nodes that are ready, the one that was recorded last runs first.
# hint: A leaf passes its gradient to no other node; it takes it as soon as it comes.

# %% start
import torch

weight = torch.tensor(2.0, requires_grad=True)
stem = weight * 3
left = stem.exp()
right = stem * left
loss = right + stem
loss.backward()

# %% wrong: loss; stem; right; left; weight
# hint: `stem` gets shares from `loss`, from `right` and from `left`. When `loss` has run, how many of them are there?

# %% wrong: loss; left; right; stem; weight
# hint: `left` waits for the share that `right` sends it.

# %% wrong: weight; stem; left; right; loss
# hint: This is the order of the forward pass. Backward begins at the other end.
