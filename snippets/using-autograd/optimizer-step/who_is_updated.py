"""`step` changes the tensors that the optimizer was given and whose `.grad` isn't `None`, wherever that gradient came from."""
# covers: autograd.optimizer-step

import torch

listed = torch.tensor([1.0], requires_grad=True)
unlisted = torch.tensor([1.0], requires_grad=True)
unused = torch.tensor([1.0], requires_grad=True)
assigned = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([listed, unused, assigned], lr=0.1)

(listed * 2 + unlisted * 2).backward()
assigned.grad = torch.tensor([5.0])  # no backward pass computed this gradient
optimizer.step()

print("listed  ", listed)
#> listed   tensor([0.8000], requires_grad=True)
print("unlisted", unlisted)
#> unlisted tensor([1.], requires_grad=True)
print("unused  ", unused)
#> unused   tensor([1.], requires_grad=True)
print("assigned", assigned)
#> assigned tensor([0.5000], requires_grad=True)
