"""`backward` fills `.grad` of some tensors, not of all tensors in the graph."""
# covers: autograd.backward.params

import torch

x = torch.tensor([2.0])
w = torch.tensor([3.0], requires_grad=True)
b = torch.tensor([1.0], requires_grad=True)
stranger = torch.tensor([5.0], requires_grad=True)

hidden = w * x
loss = (hidden + b).sum()
loss.backward()

print("w       ", w.grad)
#> w        tensor([2.])
print("b       ", b.grad)
#> b        tensor([1.])
print("x       ", x.grad)
#> x        None
print("stranger", stranger.grad)
#> stranger None
print("hidden  ", hidden.grad)
#> hidden   None
#~ UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. ...
