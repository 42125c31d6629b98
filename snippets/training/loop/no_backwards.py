"""The method is called `backward`, without an s."""
# covers: train.epoch-steps

import torch

w = torch.tensor([1.0], requires_grad=True)
loss = (w**2).sum()
loss.backwards()
#! AttributeError: 'Tensor' object has no attribute 'backwards'
