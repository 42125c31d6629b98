"""The probability of an unreadable picture is overwritten."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

p = torch.sigmoid(w * x + b)
p[1] = 0.5  # picture 1 is smudged
p.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [4]], which is output 0 of Sigmoid, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
