"""Reading the gradient of a result gives `None` and a warning."""
# covers: graph.example.none-grads graph.example.forward-print

import torch

w1 = torch.tensor(2.0, requires_grad=True)
stem = torch.ones(2, 2) * w1
print(stem.grad)
#> None
#~ UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. ...
