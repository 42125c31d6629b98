"""The node that fills `.grad` can be hooked too; here is the order around it."""
# covers: hooks.operator-order-accumulate

import torch

w = torch.tensor([2.0], requires_grad=True)
y = w * 5
accumulate = y.grad_fn.next_functions[0][0]
print(accumulate.name(), accumulate.variable is w)
#> torch::autograd::AccumulateGrad True

y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: print("operator,   .grad is", w.grad))
w.register_hook(lambda grad: print("parameter,  .grad is", w.grad))
w.register_post_accumulate_grad_hook(lambda leaf: print("after fill, .grad is", w.grad))
accumulate.register_prehook(lambda grad_outputs: print("node pre,   .grad is", w.grad))
accumulate.register_hook(lambda grad_inputs, grad_outputs: print("node post,  .grad is", w.grad))

y.backward()
#> operator,   .grad is None
#> parameter,  .grad is None
#> node pre,   .grad is None
#> after fill, .grad is tensor([5.])
#> node post,  .grad is tensor([5.])
