"""Every tensor counts how often its memory was written to."""
# covers: inplace.version-counter inplace.error.modified

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a + 2
print(b._version)
#> 0

loss = (b * b).mean()
b[0] = 1000.0
print(b._version)
#> 1

loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of torch::autograd::CopySlices, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
