"""`reshape` returns a view where the strides allow it, and a copy where they don't."""
# covers: tensor-ops.table.reshape tensor-props.is-contiguous

import torch
from sklearn.datasets import load_digits

picture = torch.from_numpy(load_digits().images[0])
turned = picture.t()
print(picture.is_contiguous(), picture.reshape(64).data_ptr() == picture.data_ptr())
#> True True
print(turned.is_contiguous(), turned.reshape(64).data_ptr() == turned.data_ptr())
#> False False
