"""The repair that the message names is wrong for a state that is passed from step to step."""
# covers: autograd.backward.read-message

import torch

w = torch.tensor([0.5], requires_grad=True)
state = torch.tensor([1.0])

# As the message advises. No error, but each step walks through all the steps before it.
for _ in range(3):
    state = torch.tanh(w * state)
    state.sum().backward(retain_graph=True)
print(w.grad)
#> tensor([2.2223])

# With an update in the loop, as in training, the advice leads to another error.
state = torch.tensor([1.0])
for _ in range(3):
    state = torch.tanh(w * state)
    state.sum().backward(retain_graph=True)
    with torch.no_grad():
        w -= 0.1 * w.grad
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1]] is at version 2; expected version 1 instead. ...
