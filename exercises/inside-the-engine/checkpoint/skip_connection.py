"""`stem` goes to the loss in two ways: through `layer` and `deeper`, and by a connection that skips both.

Choose the nodes in the order in which `backward` runs them.
"""
# exercise: point
# covers: engine-v01.backward-loop
# about: inside-the-engine/a-number-that-remembers.md#when-may-a-number-pass-its-gradient-on
# at: order
# hint: `stem` is used twice, so its node waits for two contributions, one from `layer` and one from `loss`.
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
# hint: When `loss` has run, `stem` has received the contribution of the connection only. It also waits for that of `layer`.

# %% wrong: loss; layer; deeper; stem; w
# hint: `layer` receives its gradient from `deeper`, so it can't run before `deeper`.
