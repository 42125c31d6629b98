"""The next `backward` changes the tensor in `.grad`, whatever name refers to it."""

import torch

w = torch.tensor([1.0], requires_grad=True)

(w * 5).backward()
kept = w.grad
copied = w.grad.clone()

(w * 5).backward()
print(kept, copied)
#> tensor([10.]) tensor([5.])

# After None a new tensor is made; the old one is left alone.
w.grad = None
(w * 7).backward()
print(kept, w.grad)
#> tensor([10.]) tensor([7.])
