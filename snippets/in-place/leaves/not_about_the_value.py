"""The write to a leaf is refused even if `backward` would not need the value."""
# covers: inplace.leaf-forbidden

import torch

w = torch.tensor([1.0], requires_grad=True)
y = w + 2  # the derivative is 1, whatever w is
w.add_(1)
#! RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
