"""`normal` requires float means."""

import torch

torch.normal(torch.arange(1, 11), torch.arange(1, 0, -0.1))
#! NotImplementedError: "normal_kernel_cpu" not implemented for 'Long'
