"""`.grad` is `None` inside the hook as well, so nothing is cleared afterwards."""
# covers: hooks.register-hook-debug autograd.leaf.grad-kept

import warnings

import torch

warnings.simplefilter("ignore")

w = torch.tensor(2.0, requires_grad=True)
loss = w * 3
loss.register_hook(lambda grad: print("received", grad, "stored", loss.grad))
w.register_hook(lambda grad: print("later, at w: stored", loss.grad))
loss.backward()
#> received tensor(1.) stored None
#> later, at w: stored None

loss = w * 3
loss.retain_grad()
loss.register_hook(lambda grad: print("received", grad, "stored", loss.grad))
loss.backward()
#> received tensor(1.) stored None
#> later, at w: stored tensor(1.)
print(loss.grad)
#> tensor(1.)
