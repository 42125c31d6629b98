"""Tensors computed in `inference_mode()` can never become part of a graph."""
# covers: autograd.no-grad

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.inference_mode():
    y = w * 3
print(y.requires_grad, y.is_inference())
#> False True

try:
    print(y._version)
except RuntimeError as error:
    print(error)
#> Inference tensors do not track version counter.

w * y
#! RuntimeError: Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.
