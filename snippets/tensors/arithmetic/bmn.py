"""The name in the notes, `bmn`, does not exist."""

import torch

torch.bmn
#! AttributeError: module 'torch' has no attribute 'bmn'
