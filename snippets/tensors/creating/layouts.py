"""`zeros` supports strided and several sparse layouts."""
# covers: tensor-create.zeros
# engines: torch -- sparse layouts are outside what the NumPy engine does

import torch

print(torch.zeros(2, 3).layout)
#> torch.strided
print(torch.zeros(2, 3, layout=torch.sparse_coo).layout)
#> torch.sparse_coo
print(torch.zeros(2, 3, layout=torch.sparse_csr).layout)
#> torch.sparse_csr
#~ UserWarning: Sparse CSR tensor support is in beta state. ...
print(torch.zeros(2, 3, layout=torch.sparse_csc).layout)
#> torch.sparse_csc
