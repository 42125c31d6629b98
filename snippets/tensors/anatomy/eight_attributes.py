"""Eight attributes of a leaf and of a result."""
# covers: tensor-props.eight-attrs

import torch

leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
result = leaf * 2
result.sum().backward()

print("data          ", leaf.data, "|", result.data)
#> data           tensor([1., 2., 3.]) | tensor([2., 4., 6.])
print("dtype         ", leaf.dtype, "|", result.dtype)
#> dtype          torch.float32 | torch.float32
print("shape         ", leaf.shape, "|", result.shape)
#> shape          torch.Size([3]) | torch.Size([3])
print("device        ", leaf.device, "|", result.device)
#> device         cpu | cpu
print("requires_grad ", leaf.requires_grad, "|", result.requires_grad)
#> requires_grad  True | True
print("is_leaf       ", leaf.is_leaf, "|", result.is_leaf)
#> is_leaf        True | False
print("grad          ", leaf.grad)
#> grad           tensor([2., 2., 2.])
print("grad_fn       ", leaf.grad_fn, "|", result.grad_fn.name())
#> grad_fn        None | MulBackward0
