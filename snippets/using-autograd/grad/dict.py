"""With a dict of inputs, grad returns a dict."""
# covers: autograd.grad.signature

import torch

weight = torch.tensor([2.0], requires_grad=True)
bias = torch.tensor([1.0], requires_grad=True)
y = weight * 5 + bias

print(torch.autograd.grad(y, {"weight": weight, "bias": bias}))
#> {'weight': tensor([5.]), 'bias': tensor([1.])}

# backward takes one as well, for the tensors to fill.
y = weight * 5 + bias
y.backward(inputs={"weight": weight})
print(weight.grad, bias.grad)
#> tensor([5.]) None
