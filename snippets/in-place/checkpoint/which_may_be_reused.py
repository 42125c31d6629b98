"""Of three tensors, only the saved result of `exp` is still needed after the forward pass."""

import torch


def forward():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    h = w * 2
    y = h.exp()
    return {"w": w, "h": h, "y": y}, y.sum()


for name in ("w", "h", "y"):
    tensors, loss = forward()
    with torch.no_grad():
        tensors[name].zero_()
    try:
        loss.backward()
    except RuntimeError:
        print(name)
#> y
