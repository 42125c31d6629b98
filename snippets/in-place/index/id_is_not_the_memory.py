"""`id()` identifies the Python object, `data_ptr()` the memory of the tensor."""
# covers: inplace.id-test inplace.definition

import torch

# region: view
a = torch.zeros(4)
view = a[:2]
print(id(view) == id(a), view.data_ptr() == a.data_ptr())
#> False True

view.fill_(7)
print(a)
#> tensor([7., 7., 0., 0.])
# endregion

before_id, before_memory = id(a), a.data_ptr()
a.data = torch.ones(4)
print(id(a) == before_id, a.data_ptr() == before_memory)
#> True False
