"""PyTorch has `bmm`, but not `bmn`."""

import torch

torch.bmn
#! AttributeError: module 'torch' has no attribute 'bmn'
