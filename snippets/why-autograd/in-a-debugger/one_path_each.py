"""Each of the two contributions can be seen alone."""
# covers: graph.xw-grad

import torch

x = torch.tensor([2.0])
w = torch.tensor([1.0], requires_grad=True)

through_a = (x + w) * (w.detach() + 1)
through_a.backward()
print(w.grad)
#> tensor([2.])

w.grad = None
through_b = (x + w.detach()) * (w + 1)
through_b.backward()
print(w.grad)
#> tensor([3.])
