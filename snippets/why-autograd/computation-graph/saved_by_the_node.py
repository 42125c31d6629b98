"""Each node saves what its own derivative needs, and no more."""
# covers: graph.data-vs-op graph.grad-fn-wrapping

import torch

w = torch.tensor(3.0, requires_grad=True)


def saved(node):
    return [name for name in dir(node) if name.startswith("_saved_")]


print(saved((w * w).grad_fn))
#> ['_saved_other', '_saved_self']
print(saved(w.exp().grad_fn))
#> ['_saved_result']
print(saved((w + w).grad_fn))
#> ['_saved_alpha']
print(saved(w.clone().grad_fn))
#> []
