"""After the leaf was used, one of the three ways raises no error and gives a wrong gradient."""
# covers: inplace.leaf-modify.before-use inplace.no-error-means-right

import torch


def used():
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    return a, (a * a).sum()


a, loss = used()
loss.backward()
print(a.grad)
#> tensor([2., 4.])

a, loss = used()
a.detach().fill_(10.0)
loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

a, loss = used()
with torch.no_grad():
    a.fill_(10.0)
loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...

a, loss = used()
a.data.fill_(10.0)
loss.backward()
print(a.grad)
#> tensor([20., 20.])
