"""A state is passed from step to step, so the second backward pass enters the graph of the first step."""
# covers: autograd.backward.read-message

import torch

w = torch.tensor([0.5], requires_grad=True)
state = torch.tensor([1.0])

for _ in range(3):
    state = torch.tanh(w * state)
    state.sum().backward()
#! RuntimeError: Trying to backward through the graph a second time ...
