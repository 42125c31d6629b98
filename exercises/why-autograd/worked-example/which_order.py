"""A node runs when the gradients from all its uses have arrived. Click the nodes in the order in which `backward` runs them."""
# exercise: point
# covers: graph.nodes-edges
# about: why-autograd/worked-example.md#by-backward
# at: order
# hint: Begin at the loss. When it has run, the next node is one that has received a gradient from each of its uses.
# hint: `stem` is used in three places: in `left`, in `right` and in `loss`.
# hint: `left` is used in `right` only.

# %% start
import torch

weight = torch.tensor(2.0, requires_grad=True)
stem = weight * 3
left = stem.exp()
right = stem * left
loss = right + stem
loss.backward()

# %% wrong: loss; stem; right; left; weight
# hint: `stem` is used in `loss`, in `right` and in `left`. When `loss` has run, only one of its three contributions has arrived.

# %% wrong: loss; left; right; stem; weight
# hint: `left` is used in `right`, so it waits for the gradient that `right` sends.

# %% wrong: weight; stem; left; right; loss
# hint: This is the order of the forward pass. The backward pass begins at the loss.
