"""The derivation as loops: each output sends its error back to the pixels from which it was computed."""
# covers: cnn.conv-input-error

import torch
import torch.nn.functional as F

x = torch.arange(9.0).reshape(3, 3).requires_grad_()
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
delta = torch.tensor([[1.0, 0.0], [0.0, 10.0]])  # one error per output

error = torch.zeros(3, 3)
for i in range(2):
    for j in range(2):
        for a in range(2):
            for b in range(2):
                # y[i, j] contains x[i + a, j + b] * w[a, b]
                error[i + a, j + b] += delta[i, j] * w[a, b]
print(error)
#> tensor([[ 1.,  2.,  0.],
#>         [ 3., 14., 20.],
#>         [ 0., 30., 40.]])

F.conv2d(x[None, None], w[None, None]).backward(delta[None, None])
print(torch.equal(error, x.grad))
#> True
