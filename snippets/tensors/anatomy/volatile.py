"""The sixth attribute of the old `Variable`, `volatile`, was replaced by `no_grad`."""

import torch
from torch.autograd import Variable

v = Variable(torch.ones(2), volatile=True)
#~ UserWarning: volatile was removed and now has no effect. ...

w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    y = w * 2
print(y.requires_grad)
#> False
