"""An inner result lives as long as somebody holds it: a name, or a node that needs it for backward."""
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
