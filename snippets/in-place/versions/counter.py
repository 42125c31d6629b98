"""A saved tensor is overwritten, and its version counter shows it."""
# covers: inplace.version-counter inplace.error.modified

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x + 2
mean = (h * h).mean()
print("saved at version", h._version)
#> saved at version 0

h[0] = 1000.0
print("now at version", h._version)
#> now at version 1

mean.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of torch::autograd::CopySlices, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
