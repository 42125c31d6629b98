"""A difference passes its gradient on twice, once unchanged and once with the opposite sign."""
# covers: engine-v01.what-flows

import torch

y_ = torch.tensor(5.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
tmp = y_ - y
loss = tmp * tmp
tmp.register_hook(lambda grad: print("into the difference:", grad.item()))
y_.register_hook(lambda grad: print("on to y_:", grad.item()))
y.register_hook(lambda grad: print("on to y:", grad.item()))
loss.backward()
#> into the difference: 6.0
#> on to y_: 6.0
#> on to y: -6.0
