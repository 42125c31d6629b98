"""Anomaly mode names the operation whose saved tensor was overwritten."""
# covers: inplace.error.modified

import torch

x = torch.ones(2, requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    y = torch.sigmoid(x)
    y += 1
    y.sum().backward()
#~ UserWarning: Error detected in SigmoidBackward0. Traceback of forward call that caused the error: ...
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
