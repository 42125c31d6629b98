"""Three steps against the slope."""

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w):
    return ((w * x - y) ** 2).mean()


way = [0.0]
for step in range(3):
    w = torch.tensor(way[-1], requires_grad=True)
    here = loss(w)
    here.backward()
    print(f"w {w.item():.4f}  loss {here.item():.4f}  slope {w.grad.item():.4f}")
    way.append(w.item() - 1.0 * w.grad.item())
#> w 0.0000  loss 0.5000  slope -0.8750
#> w 0.8750  loss 0.0454  slope -0.1641
#> w 1.0391  loss 0.0294  slope -0.0308
