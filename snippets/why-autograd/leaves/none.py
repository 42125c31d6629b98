"""After `backward`, two of these tensors have a gradient."""
# covers: autograd.leaf.grad-kept autograd.requires-grad-propagation

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

score = w * x + b
loss = ((score - y) ** 2).mean()
loss.backward()

print(w.grad, b.grad)
#> tensor(0.4375) tensor(1.)
print(score.requires_grad)
#> True
print(score.grad)
#> None
#~ UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. ...
