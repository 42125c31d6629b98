"""The message gives the type, the shape, the operation and both versions."""
# covers: inplace.error.modified

import torch

x = torch.ones(2, 3, requires_grad=True)
y = torch.sigmoid(x)
y += 1
y += 1
y.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2, 3]], which is output 0 of Sigmoid, is at version 2; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
