"""An in-place ReLU may not overwrite a tensor that another node has saved."""
# covers: memory.relu-inplace

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
torch.nn.functional.relu(x.exp()).sum().backward()
print(x.grad)
#> tensor([2.7183, 7.3891])

h = x.exp()
torch.nn.functional.relu(h, inplace=True)
h.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of Exp, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
