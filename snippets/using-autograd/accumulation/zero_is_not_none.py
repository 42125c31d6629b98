"""A gradient of zero still moves a parameter; a gradient of `None` doesn't."""
# covers: autograd.grad-accumulates

import torch


def steps(set_to_none):
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    (w * 2).backward()
    optimizer.step()
    before = w.item()
    optimizer.zero_grad(set_to_none=set_to_none)
    optimizer.step()  # No backward in between.
    return before, w.item()


before, after = steps(set_to_none=False)
print(f"zeros: {before:.2f} -> {after:.2f}")
#> zeros: 0.80 -> 0.62

before, after = steps(set_to_none=True)
print(f"None:  {before:.2f} -> {after:.2f}")
#> None:  0.80 -> 0.80
