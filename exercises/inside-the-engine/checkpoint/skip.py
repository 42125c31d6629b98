"""A connection skips a layer. In which order will `backward` run these nodes?"""
# exercise: point
# covers: engine-v01.backward-loop
# about: inside-the-engine/a-number-that-remembers.md#when-may-a-number-pass-its-gradient-on
# at: order
# hint: How many shares does `stem` wait for, and who sends them?
# hint: Of two nodes that are ready, the one that was recorded last runs first.

# %% start
import torch

w = torch.tensor(2.0, requires_grad=True)
stem = w.exp()
layer = stem.sin()
deeper = layer.cos()
loss = deeper + stem
loss.backward()

# %% wrong: loss; stem; deeper; layer; w
# hint: This is the hasty walk. When `loss` has run, `stem` has the share of the short way. What about the long one?

# %% wrong: loss; layer; deeper; stem; w
# hint: `layer` gets its only share from `deeper`.
