"""`index` may be smaller than `src`, never larger, and its values must exist."""
# covers: scatter.formula

import torch

t = torch.zeros(3, 5)
src = torch.ones(2, 5)
t.scatter_(0, torch.tensor([[0], [1], [2]]), src)
#! RuntimeError: Expected index [3, 1] to be no larger than self [3, 5] apart from dimension 0 and to be no larger size than src [2, 5]
t.scatter_(0, torch.tensor([[0, 1, 3]]), src)
#! RuntimeError: index 3 is out of bounds for dimension 0 with size 3
t.scatter_(0, torch.tensor([0, 1]), src)
#! RuntimeError: Index tensor must have the same number of dimensions as self tensor
t.scatter_(0, torch.tensor([[0, 1]]), torch.ones(2, 5, dtype=torch.int64))
#! RuntimeError: scatter(): Expected self.dtype to be equal to src.dtype
