"""`detach_()` removes the tensor itself from the graph, and refuses a view."""
# covers: autograd.detach

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 2
h.detach_()
print(h, h.is_leaf)
#> tensor([2., 4.]) True

view = (x * 2)[:1]
view.detach_()
#! RuntimeError: Can't detach views in-place. Use detach() instead. ...
