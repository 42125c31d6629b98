"""The derivation as loops: each weight sums the pixels that it covered, multiplied by the errors of the outputs."""
# covers: cnn.conv-weight-grad

import torch
import torch.nn.functional as F

x = torch.arange(9.0).reshape(3, 3)
w = torch.zeros(2, 2, requires_grad=True)
delta = torch.tensor([[1.0, 0.0], [0.0, 10.0]])

gradient = torch.zeros(2, 2)
for a in range(2):
    for b in range(2):
        for i in range(2):
            for j in range(2):
                # y[i, j] contains x[i + a, j + b] * w[a, b]
                gradient[a, b] += delta[i, j] * x[i + a, j + b]
print(gradient)
#> tensor([[40., 51.],
#>         [73., 84.]])

F.conv2d(x[None, None], w[None, None]).backward(delta[None, None])
print(torch.equal(gradient, w.grad))
#> True
