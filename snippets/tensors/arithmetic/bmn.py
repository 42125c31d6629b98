"""The name is `bmm`; there is no `bmn`."""

import torch

torch.bmn
#! AttributeError: module 'torch' has no attribute 'bmn'
