"""m may be left out, but it may not be None."""

import torch

torch.eye(3, m=None)
#! TypeError: eye() received an invalid combination of arguments - got (int, m=NoneType), ...
