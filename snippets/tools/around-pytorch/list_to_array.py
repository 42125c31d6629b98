"""A list of tensors becomes one array only if all have the same shape."""
# covers: dali.tensorlist-to-numpy

import torch

# region: dense
images = [torch.rand(4, 6, 3), torch.rand(5, 3, 3)]
labels = [torch.tensor([7]), torch.tensor([2])]
print(len(labels), len(images))
#> 2 2
print(torch.stack(labels).numpy())
#> [[7]
#>  [2]]
# endregion
# region: one
try:
    torch.stack(images)
except RuntimeError as error:
    print(error)
#> stack expects each tensor to be equal size, but got [4, 6, 3] at entry 0 and [5, 3, 3] at entry 1

for image in images:
    print(image.numpy().shape)
#> (4, 6, 3)
#> (5, 3, 3)
# endregion
# region: cropped
cropped = [image[:4, :3] for image in images]
print(torch.stack(cropped).numpy().shape)
#> (2, 4, 3, 3)
# endregion
