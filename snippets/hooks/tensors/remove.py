"""The handle removes the hook."""
# covers: hooks.remove-handle

import torch

x = torch.tensor([1.0], requires_grad=True)
handle = x.register_hook(lambda grad: grad * 100)
print(type(handle).__name__)
#> RemovableHandle

(x * 2).backward()
print(x.grad)
#> tensor([200.])

handle.remove()
x.grad = None
(x * 2).backward()
print(x.grad)
#> tensor([2.])

# Once more does no harm.
handle.remove()

# As a context manager: the hook is there for one block.
with x.register_hook(lambda grad: print("seen:", grad)):
    (x * 2).backward()
#> seen: tensor([2.])
(x * 2).backward()
