"""If a leaf is changed after its use, one of three ways raises no error and gives a wrong gradient."""
# covers: inplace.leaf-modify.before-use inplace.no-error-means-right

import torch


def unchanged(a):
    pass


def through_detach(a):
    a.detach().fill_(10.0)


def through_no_grad(a):
    with torch.no_grad():
        a.fill_(10.0)


def through_data(a):
    a.data.fill_(10.0)


for change in (unchanged, through_detach, through_no_grad, through_data):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (a * a).sum()
    change(a)
    try:
        loss.backward()
        print(change.__name__, a.grad)
    except RuntimeError as error:
        print(change.__name__, error)
#> unchanged tensor([2., 4.])
#>? through_detach one of the variables needed for gradient computation has been modified by an inplace operation: ...
#>? through_no_grad one of the variables needed for gradient computation has been modified by an inplace operation: ...
#> through_data tensor([20., 20.])
