"""When the hook of a leaf runs, its `.grad` doesn't contain the new gradient yet."""
# covers: hooks.register-hook.semantics

import torch

w = torch.tensor([1.0], requires_grad=True)
w.register_hook(lambda grad: print("hook:", grad, "in .grad:", w.grad))

(w * 5).backward()
#> hook: tensor([5.]) in .grad: None
(w * 5).backward()
#> hook: tensor([5.]) in .grad: tensor([5.])
print(w.grad)
#> tensor([10.])
