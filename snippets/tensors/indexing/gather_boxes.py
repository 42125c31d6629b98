"""Select the box with the best score from every image."""
# covers: tensor-ops.table.gather

import torch

boxes = torch.tensor([[[0, 0, 4, 4], [1, 1, 5, 5]], [[2, 2, 6, 6], [3, 3, 7, 7]]])
scores = torch.tensor([[0.2, 0.9], [0.8, 0.1]])
best = scores.argmax(1)
index = best.view(2, 1, 1).expand(2, 1, 4)
print(index)
#> tensor([[[1, 1, 1, 1]],
#>
#>         [[0, 0, 0, 0]]])
print(torch.gather(boxes, 1, index))
#> tensor([[[1, 1, 5, 5]],
#>
#>         [[2, 2, 6, 6]]])
