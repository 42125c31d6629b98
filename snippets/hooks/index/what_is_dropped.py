"""After the backward pass no name refers to the inner tensors; a hook is called while they exist."""
# covers: hooks.why

import torch


def forward(x, w):
    hidden = x * w
    hidden.register_hook(lambda grad: print("gradient of hidden:", grad))
    return hidden.sin().sum()


x = torch.tensor([1.0, 2.0])
w = torch.tensor([3.0, 4.0], requires_grad=True)
loss = forward(x, w)

# hidden is a local name: no way to reach it, or its gradient, from here.
loss.backward()
#> gradient of hidden: tensor([-0.9900, -0.1455])
print(w.grad)
#> tensor([-0.9900, -0.2910])
