"""`mse_loss` warns if prediction and target differ in shape."""

import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
print(F.mse_loss(prediction, target))
#> tensor(1.3333)
#~ UserWarning: Using a target size (torch.Size([3])) that is different to the input size (torch.Size([3, 1])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
