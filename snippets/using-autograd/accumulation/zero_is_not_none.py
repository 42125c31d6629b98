"""A gradient of zero still moves a parameter; a gradient of `None` doesn't."""
# covers: autograd.grad-accumulates

import torch


def walk(set_to_none):
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    (w * 2).backward()
    places = []
    for _ in range(12):
        optimizer.step()
        optimizer.zero_grad(set_to_none=set_to_none)
        places.append(round(w.item(), 2))  # No backward from here on.
    return places


none = walk(set_to_none=True)
print(none[:4])
#> [0.8, 0.8, 0.8, 0.8]
zeros = walk(set_to_none=False)
print(zeros[:4], "...", zeros[-1])
#> [0.8, 0.62, 0.46, 0.31] ... -0.44
