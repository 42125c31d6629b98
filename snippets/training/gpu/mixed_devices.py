"""All operands must be on one device, except for a single number, and the result is there as well."""
# covers: gpu.torch-cuda
# engines: torch -- reference_impl has no device meta; it stands in for a GPU here

import torch

there = torch.ones(2, device="meta")
print((there * 2).device, (there * torch.tensor(2.0)).device)
#> meta meta

here = torch.ones(2)
try:
    torch.neg(here, out=there)
except RuntimeError as error:
    print(error)
#> Attempting to copy from device cpu to device meta, but cross-device copies are not allowed!

here.grad = there
#! RuntimeError: attempting to assign a gradient with device type 'meta' to a tensor with device type 'cpu'. Please ensure that the gradient and the tensor are on the same device
