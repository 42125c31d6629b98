"""`Variable` returns an ordinary tensor, and every tensor is an instance of it."""
# covers: tensor-props.variable-merge

import torch
from torch.autograd import Variable

t = torch.ones(2)
v = Variable(t, requires_grad=True)
print(type(v))
#> <class 'torch.Tensor'>
print(isinstance(t, Variable))
#> True
print(v.data_ptr() == t.data_ptr(), v is t)
#> True False
