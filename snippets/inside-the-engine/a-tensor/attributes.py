"""What a debugger shows of a computed tensor, and what is left of the old list."""
# covers: debug.tensor-inspector

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(6.0, requires_grad=True)
Q = 3 * a**3 - b**2
print(Q)
#> tensor(-12., grad_fn=<SubBackward0>)
print(Q.data, Q.requires_grad, Q.is_leaf, Q.output_nr, Q.shape, Q.dtype, Q.device)
#> tensor(-12.) True False 0 torch.Size([]) torch.float32 cpu
print([type(f).__name__ for f, _ in Q.grad_fn.next_functions])
#> ['MulBackward0', 'PowBackward0']
print(hasattr(Q, "is_mlc"), hasattr(Q, "layout"), Q.layout)
#> False True torch.strided
