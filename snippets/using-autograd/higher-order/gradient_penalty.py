"""A loss can contain a gradient."""

import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
x = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)

output = torch.tanh((w * x).sum())
(grad_x,) = torch.autograd.grad(output, x, create_graph=True)
penalty = (grad_x.norm() - 1) ** 2
penalty.backward()
print(w.grad)
#> tensor([-0.1788,  0.4091, -0.1439])

# The same slope, measured with finite differences in the first weight.
def penalty_at(w0):
    weights = torch.cat([w0.reshape(1), w.detach()[1:]]).double()
    inputs = x.detach().double().requires_grad_()
    (g,) = torch.autograd.grad(torch.tanh((weights * inputs).sum()), inputs)
    return (g.norm() - 1) ** 2


step = 1e-3
print((penalty_at(w[0].detach() + step) - penalty_at(w[0].detach() - step)) / (2 * step))
#> tensor(-0.1788, dtype=torch.float64)
