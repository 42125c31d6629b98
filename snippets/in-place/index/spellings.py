"""An in-place operation has five spellings, and each raises the version by one."""
# covers: inplace.definition

import torch

a = torch.tensor([1.0, -2.0])
memory = a.data_ptr()

a.add_(1)
a += 1
a[1] = 5
torch.mul(a, 2, out=a)
torch.nn.functional.relu(a, inplace=True)

print(a, a.data_ptr() == memory)
#> tensor([ 6., 10.]) True
print(a._version)
#> 5
