"""`conj` returns a marked view that shares its numbers."""
# covers: tensor-ops.table.conj
# engines: torch -- complex numbers are outside what the NumPy engine does

import torch

z = torch.tensor([1 + 2j, 3 - 4j])
c = torch.conj(z)
print(c.is_conj(), c.data_ptr() == z.data_ptr())
#> True True
c[0] = 5 + 5j
print(z)
#> tensor([5.-5.j, 3.-4.j])
