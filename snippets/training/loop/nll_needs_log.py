"""`nll_loss` expects logarithms of probabilities but accepts any numbers."""
# covers: train.loop-snippet

import torch
import torch.nn.functional as F

scores = torch.tensor([[2.0, 1.0, 0.0]])
label = torch.tensor([0])
print(F.nll_loss(F.log_softmax(scores, dim=1), label))
#> tensor(0.4076)
print(F.cross_entropy(scores, label))
#> tensor(0.4076)

print(F.nll_loss(scores, label))
#> tensor(-2.)
print(F.nll_loss(1000 * scores, label))
#> tensor(-2000.)
print(F.nll_loss(F.softmax(scores, dim=1), label))
#> tensor(-0.6652)

x = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=1.0)
for _ in range(3):
    optimizer.zero_grad()
    loss = F.nll_loss(x * scores, label)
    loss.backward()
    optimizer.step()
    print(loss.item())
#> -2.0
#> -6.0
#> -10.0
