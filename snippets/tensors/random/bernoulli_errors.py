"""A probability is a float between 0 and 1."""

import torch

torch.bernoulli(torch.tensor([0, 1]))
#! NotImplementedError: "bernoulli_tensor_cpu_p_" not implemented for 'Long'
torch.bernoulli(torch.tensor([0.5, 1.5]))
#! RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false. ...
