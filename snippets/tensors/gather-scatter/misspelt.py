"""The method has two t's."""

import torch

torch.zeros(3).scater_
#! AttributeError: 'Tensor' object has no attribute 'scater_'
