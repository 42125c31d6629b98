"""The attributes of a computed tensor that a debugger shows first."""
# covers: debug.tensor-inspector

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(6.0, requires_grad=True)
Q = 3 * a**3 - b**2
print(Q)
#> tensor(-12., grad_fn=<SubBackward0>)
print(Q.data, Q.dtype, Q.device, Q.layout, Q.shape)
#> tensor(-12.) torch.float32 cpu torch.strided torch.Size([])
print(Q.requires_grad, Q.is_leaf, Q.output_nr, Q.retains_grad)
#> True False 0 False
print([type(f).__name__ for f, _ in Q.grad_fn.next_functions])
#> ['MulBackward0', 'PowBackward0']
