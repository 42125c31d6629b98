"""`step` changes the parameters it was given whose `.grad` isn't `None`, however it got there."""
# covers: autograd.optimizer-step

import torch

given = torch.tensor([1.0], requires_grad=True)
not_given = torch.tensor([1.0], requires_grad=True)
unused = torch.tensor([1.0], requires_grad=True)
by_hand = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([given, unused, by_hand], lr=0.1)

(given * 2 + not_given * 2).backward()
by_hand.grad = torch.tensor([5.0])  # No backward pass was here.
optimizer.step()

print("given    ", given)
#> given     tensor([0.8000], requires_grad=True)
print("not given", not_given)
#> not given tensor([1.], requires_grad=True)
print("unused   ", unused)
#> unused    tensor([1.], requires_grad=True)
print("by hand  ", by_hand)
#> by hand   tensor([0.5000], requires_grad=True)
