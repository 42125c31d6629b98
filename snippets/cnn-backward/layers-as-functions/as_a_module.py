"""A module holds the parameters, and its `forward` calls `apply`."""
# covers: function.linear-example-link, function.subclass-two-statics

import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output @ weight, grad_output.t() @ x, grad_output.sum(0)


class Linear(torch.nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(out_features, in_features) / in_features**0.5)
        self.bias = torch.nn.Parameter(torch.zeros(out_features))

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)


torch.manual_seed(0)
x = torch.randn(64, 3)
target = x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 3
layer = Linear(3, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)

for _ in range(200):
    loss = ((layer(x) - target) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print(f"{loss.item():.6f}")
#> 0.000000
print(layer.weight.data, layer.bias.data)
#> tensor([[ 1.0000, -2.0000,  0.5000]]) tensor([3.0000])
