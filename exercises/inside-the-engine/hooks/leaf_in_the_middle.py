"""In which order will `backward` run these nodes?"""
# exercise: point
# covers: engine-v01.backward-loop
# about: inside-the-engine/hooks.md#now-the-order-can-be-seen
# at: order
# hint: `w` is used in `late` and in `loss`, so it waits for two contributions.
# hint: Of the operations that are ready, the one that was recorded last goes first. A leaf goes before all of them.

# %% start
import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
early = x.sin()
late = w.exp()
score = early + late
loss = score * w
loss.backward()

# %% wrong: loss; w; score; late; early; x
# hint: A leaf goes first when it is *ready*. The product has sent `w` one contribution, and `late` will send another.

# %% wrong: loss; score; late; early; w; x
# hint: When `late` has run, both `early` and the leaf `w` are ready.

# %% wrong: loss; score; early; x; late; w
# hint: After `score` both operations are ready. `late` was recorded after `early`.
