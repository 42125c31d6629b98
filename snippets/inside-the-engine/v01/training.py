"""The training example of the old engine fits a weight by L1 loss, with the update and the clearing by hand."""
# covers: engine-v01.training-example

import torch

torch.manual_seed(0)
X = torch.randn(1, 10)
Y = torch.randn(1, 10)
W = torch.randn(10, 10, requires_grad=True)
for step in range(2001):
    loss = (X @ W - Y).abs().sum()
    if step % 500 == 0:
        print(step, round(loss.item(), 2))
    loss.backward()
    with torch.no_grad():
        W -= 0.001 * W.grad
        W.grad.zero_()
#> 0 25.21
#> 500 0.46
#> 1000 0.06
#> 1500 0.06
#> 2000 0.06
