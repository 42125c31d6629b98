"""How far each kind of change advances the version counter."""
# covers: inplace.version-counter

import torch


def version_after(change):
    a = torch.ones(2, 3)
    change(a)
    return a._version


def add_to_row(a):
    a[0] += 1


def assign_row(a):
    a[0] = 5


changes = {
    "a.add_(1)": lambda a: a.add_(1),
    "a[0] = 5": assign_row,
    "a[0] += 1": add_to_row,
    "torch.exp(a, out=a)": lambda a: torch.exp(a, out=a),
    "a.t_()": lambda a: a.t_(),
    "a.unsqueeze_(0)": lambda a: a.unsqueeze_(0),
    "a.detach().add_(1)": lambda a: a.detach().add_(1),
    "a.data.add_(1)": lambda a: a.data.add_(1),
    "a.numpy().fill(5)": lambda a: a.numpy().fill(5),
    "a.requires_grad_()": lambda a: a.requires_grad_(),
    "a.detach_()": lambda a: a.detach_(),
}
for text, change in changes.items():
    print(f"{text:22}", version_after(change))
#> a.add_(1)              1
#> a[0] = 5               1
#> a[0] += 1              2
#> torch.exp(a, out=a)    1
#> a.t_()                 1
#> a.unsqueeze_(0)        1
#> a.detach().add_(1)     1
#> a.data.add_(1)         0
#> a.numpy().fill(5)      0
#> a.requires_grad_()     0
#> a.detach_()            0
