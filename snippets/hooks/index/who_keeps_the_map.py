"""An inner tensor exists as long as a name refers to it or a node has saved it for the backward pass."""
# covers: hooks.why

import weakref

import torch

w = torch.tensor([3.0, 4.0], requires_grad=True)

# Used by an addition.
hidden = w * 2
loss = (hidden + 1).sum()
watch = weakref.ref(hidden)
del hidden
print("gone:", watch() is None)
#> gone: True

# Used by sin.
hidden = w * 2
loss = hidden.sin().sum()
watch = weakref.ref(hidden)
del hidden
print("gone:", watch() is None)
#> gone: False

loss.backward()
print("gone:", watch() is None)
#> gone: True
