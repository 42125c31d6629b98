"""An axis of size 1 may have any stride."""
# covers: tensor-props.is-contiguous

import torch

odd = torch.zeros(4).as_strided((1, 4), (99, 1))
print(odd.stride(), odd.is_contiguous())
#> (99, 1) True
print(torch.zeros(3, 1).t().is_contiguous())
#> True
