"""A handwritten loss overwrites a tensor that its derivative needs."""
# covers: autograd.why-learn

import torch

raw = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
ignored = torch.tensor([False, True, False])

score = torch.sigmoid(raw)
score[ignored] = 0.0
score.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [3]], which is output 0 of Sigmoid, is at version 1; expected version 0 instead. ...
