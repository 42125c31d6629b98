"""One iteration consists of a forward pass, a backward pass and a step."""
# covers: train.iteration-three-steps module.ddp-paper-concepts

import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(8, 3)
wanted = x @ torch.tensor([[1.0], [-2.0], [3.0]]) + 0.5

model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

# 1. Forward: the loss, and the graph with it
loss = nn.functional.mse_loss(model(x), wanted)
print(loss)
#> tensor(4.0955, grad_fn=<MseLossBackward0>)

# 2. Backward: a gradient for each parameter; the parameters are as before
before = model.weight.detach().clone()
loss.backward()
print(model.weight.grad)
#> tensor([[-1.6710, -1.5040, -2.3080]])
print(model.weight.equal(before))
#> True

# 3. Step: the optimizer writes the parameters in place
optimizer.step()
print(model.weight.equal(before))
#> False

# and again, two hundred times
for iteration in range(200):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), wanted)
    loss.backward()
    optimizer.step()
print(loss.item() < 1e-4)
#> True
