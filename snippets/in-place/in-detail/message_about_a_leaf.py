"""For a leaf the message names no operation."""
# covers: inplace.error.modified

import torch

leaf = torch.ones(2, requires_grad=True)
loss = (leaf * leaf).sum()
with torch.no_grad():
    leaf += 1
loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
