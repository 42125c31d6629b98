"""Join two vectors and two matrices in six ways."""
# covers: tensor-ops.table.cat tensor-ops.table.stack tensor-ops.table.hstack tensor-ops.table.vstack tensor-ops.table.dstack

import torch

vector, matrix = torch.zeros(3), torch.zeros(2, 3)
for join in torch.cat, torch.stack, torch.hstack, torch.vstack, torch.column_stack, torch.dstack:
    print(join.__name__, tuple(join((vector, vector)).shape), tuple(join((matrix, matrix)).shape))
#> cat (6,) (4, 3)
#> stack (2, 3) (2, 2, 3)
#> hstack (6,) (2, 6)
#> vstack (2, 3) (4, 3)
#> column_stack (3, 2) (2, 6)
#> dstack (1, 3, 2) (2, 3, 2)
