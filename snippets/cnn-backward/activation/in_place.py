"""In place, `relu` saves the tensor that it wrote, and `sin` saves a copy of the old numbers."""
# covers: cnn.activation-backward

import torch

z = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)

a = z.clone().relu_()
print("relu keeps its own tensor:", a.grad_fn._saved_result.data_ptr() == a.data_ptr())
#> relu keeps its own tensor: True

a = z.clone().sin_()
kept = a.grad_fn._saved_self
print("sin keeps its own tensor: ", kept.data_ptr() == a.data_ptr())
#> sin keeps its own tensor:  False
print(kept.detach())
#> tensor([-2.0000,  0.5000,  3.0000])
