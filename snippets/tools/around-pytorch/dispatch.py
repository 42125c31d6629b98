"""An operator has several kernels, and autograd is the one that runs first."""
# covers: ecosystem.dispatch
# engines: torch -- the subject is torch's dispatcher

import torch

# region: registry
print(len(torch._C._dispatch_get_all_op_names()) > 3000)
#> True
for key in ("CPU", "Meta", "Autograd", "SparseCPU"):
    print(f"{key:9} {torch._C._dispatch_has_kernel_for_dispatch_key('aten::mul.Tensor', key)}")
#> CPU       True
#> Meta      True
#> Autograd  True
#> SparseCPU True
has_cuda_kernel = torch._C._dispatch_has_kernel_for_dispatch_key("aten::mul.Tensor", "CUDA")
print(has_cuda_kernel == torch.backends.cuda.is_built())
#> True
# endregion
# region: own
@torch.library.custom_op("book::cube", mutates_args=())
def cube(x: torch.Tensor) -> torch.Tensor:
    return x.detach() ** 3


x = torch.tensor(2.0, requires_grad=True)
print(cube(x))
#> tensor(8., grad_fn=<GeneratedBackwardFor_book_cube_defaultBackward>)
try:
    cube(x).backward()
except RuntimeError as error:
    print(error)
#> Trying to backward through book.cube.default but no autograd formula was registered. Please use register_autograd to add one.

cube.register_autograd(
    lambda ctx, grad: grad * 3 * ctx.saved_tensors[0] ** 2,
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]),
)
cube(x).backward()
print(x.grad)
#> tensor(12.)
# endregion
