"""With two losses over one trunk, the first `backward` frees the saved tensors of the trunk."""
# covers: autograd.backward.second-time-error

import torch

x = torch.tensor([2.0], requires_grad=True)

trunk = x**2
first = trunk * 3
second = trunk**2

first.backward()
second.backward()
#! RuntimeError: Trying to backward through the graph a second time ...
