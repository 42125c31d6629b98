"""`zero_grad` sets to `None`; zeros would still move the weight."""
# covers: train.epoch-steps

import torch

for options in {}, {"set_to_none": False}:
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    w.sum().backward()
    optimizer.step()
    optimizer.zero_grad(**options)
    optimizer.step()
    print(options, w.grad, w)
#> {} None tensor([0.9000], requires_grad=True)
#> {'set_to_none': False} tensor([0.]) tensor([0.8100], requires_grad=True)
