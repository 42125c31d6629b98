"""ReLU after the last layer sets negative logits and their gradients to zero."""
# covers: module.lenet.relu-output

import torch
import torch.nn.functional as F

scores = torch.tensor([[-1.0, -2.0, -3.0]], requires_grad=True)
label = torch.tensor([2])

loss = F.cross_entropy(scores, label)
loss.backward()
print(loss)
#> tensor(2.4076, grad_fn=<NllLossBackward0>)
print(scores.grad)
#> tensor([[ 0.6652,  0.2447, -0.9100]])

scores.grad = None
clipped = F.relu(scores)
print(clipped)
#> tensor([[0., 0., 0.]], grad_fn=<ReluBackward0>)
loss = F.cross_entropy(clipped, label)
loss.backward()
print(loss)
#> tensor(1.0986, grad_fn=<NllLossBackward0>)
print(scores.grad)
#> tensor([[0., 0., 0.]])
