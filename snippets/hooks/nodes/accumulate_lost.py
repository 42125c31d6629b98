"""The AccumulateGrad node and its hooks exist as long as something refers to the node."""
# covers: hooks.operator-order-accumulate

import torch

w = torch.tensor([2.0], requires_grad=True)


def node():
    return w.expand_as(w).grad_fn.next_functions[0][0]


def hook(grad_inputs, grad_outputs):
    print("accumulation hook")


# Nobody keeps the node: it's gone, and the hook with it.
node().register_hook(hook)
(w * 2).backward()
print("nothing was printed")
#> nothing was printed

# Two graphs that live at the same time share the node.
a, b = w * 2, w * 3
print(a.grad_fn.next_functions[0][0] is b.grad_fn.next_functions[0][0])
#> True

# With the node kept, the hook runs in every pass.
kept = node()
kept.register_hook(hook)
(w * 2).backward()
#> accumulation hook
(w * 2).backward()
#> accumulation hook

# A hook registered on the tensor needs no such care.
w.register_post_accumulate_grad_hook(lambda leaf: print("tensor hook"))
del kept, a, b
(w * 2).backward()
#> tensor hook
