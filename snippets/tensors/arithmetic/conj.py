"""`conj` changes the sign of the imaginary part."""
# covers: tensor-ops.table.conj
# engines: torch -- complex numbers are outside what the NumPy engine does

import torch

z = torch.tensor([1 + 2j, 3 - 4j])
print(torch.conj(z))
#> tensor([1.-2.j, 3.+4.j])
print(z * torch.conj(z))
#> tensor([ 5.+0.j, 25.+0.j])
