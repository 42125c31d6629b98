"""When a saved input was overwritten by a recorded operation, the message names this operation."""
# covers: inplace.error.modified

import torch

x = torch.ones(2, 3, requires_grad=True)
h = x * 2
loss = (h * h).sum()
h.exp_()
loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2, 3]], which is output 0 of Exp, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
