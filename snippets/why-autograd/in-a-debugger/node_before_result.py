"""The node is created before the operation computes anything."""
# covers: graph.grad-fn-wrapping
# engines: torch -- reference_impl creates the node after the result, so a failed operation creates none

import torch

a = torch.ones(2, 2, requires_grad=True)

first = (a + 1).grad_fn
second = (a + 1).grad_fn
print(second._sequence_nr() - first._sequence_nr())
#> 1

try:
    torch.mm(a, torch.ones(3, 3))
except RuntimeError as error:
    print(error)
#> mat1 and mat2 shapes cannot be multiplied (2x2 and 3x3)

third = (a + 1).grad_fn
print(third._sequence_nr() - second._sequence_nr())
#> 2
