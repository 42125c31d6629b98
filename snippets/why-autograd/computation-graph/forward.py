"""Each operation of the forward pass creates a node, and `grad_fn` names it."""
# covers: graph.forward-builds-backward graph.grad-fn-wrapping tensor-props.grad-fn

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

score = w * x + b
error = score - y
loss = (error * error).mean()
print(score)
#> tensor([0.5000, 0.7500, 1.2500, 1.5000], grad_fn=<AddBackward0>)
print(error)
#> tensor([0.5000, 0.7500, 0.2500, 0.5000], grad_fn=<SubBackward0>)
print(loss)
#> tensor(0.2812, grad_fn=<MeanBackward0>)

loss.backward()
print(w.grad, b.grad)
#> tensor(0.4375) tensor(1.)
