"""An optimizer accepts only leaves."""
# covers: autograd.leaf.rule

import torch

w = torch.ones(2, requires_grad=True)
torch.optim.SGD([w], lr=0.1)
torch.optim.SGD([w * 2], lr=0.1)
#! ValueError: can't optimize a non-leaf Tensor
