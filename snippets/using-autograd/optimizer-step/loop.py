"""Two hundred training steps: clear the gradients, compute them, change the parameters."""
# covers: train.iteration-three-steps autograd.optimizer-step

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.5)

for step in range(1, 201):
    loss = ((w * x + b - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (1, 2, 3, 20, 200):
        print(f"{step:3}  loss {loss.item():.4f}  w {w.item():.4f}  b {b.item():.4f}")
#>   1  loss 0.5000  w 0.4375  b 0.5000
#>   2  loss 0.1637  w 0.4473  b 0.2812
#>   3  loss 0.1136  w 0.5624  b 0.2764
#>  20  loss 0.0261  w 1.1291  b -0.0596
#> 200  loss 0.0250  w 1.2000  b -0.1000
