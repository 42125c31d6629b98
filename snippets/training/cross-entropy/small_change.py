"""The gradient with respect to ten scores, estimated one score at a time, computed by `backward`, and by the formula."""

import torch
import torch.nn.functional as F

# region: one-score
scores = torch.tensor([[1.0, 0, 0, 4, 0, 0, 0, 0, 2, 0]], dtype=torch.float64)
scores.requires_grad_()
label = torch.tensor([3])
loss = F.cross_entropy(scores, label)

h = 0.001
higher = scores.detach().clone()
higher[0, 3] += h
print(f"{(F.cross_entropy(higher, label) - loss).item() / h:.3f}")
#> -0.238
higher = scores.detach().clone()
higher[0, 8] += h
print(f"{(F.cross_entropy(higher, label) - loss).item() / h:.3f}")
#> 0.103
# endregion

# region: all-scores
loss.backward()
print([round(slope, 3) for slope in scores.grad[0].tolist()])
#> [0.038, 0.014, 0.014, -0.239, 0.014, 0.014, 0.014, 0.014, 0.103, 0.014]
p = F.softmax(scores.detach(), dim=1)
print(torch.allclose(scores.grad, p - F.one_hot(label, 10)))
#> True
# endregion
