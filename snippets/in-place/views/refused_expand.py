"""A write to a view made by `expand` raises an error."""
# covers: inplace.why-not-supported

import torch

spread = torch.ones(1).expand(3)
spread.add_(1)
#! RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.
