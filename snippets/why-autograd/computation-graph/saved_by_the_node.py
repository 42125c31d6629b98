"""Each node saves what its own derivative needs, and no more."""
# covers: graph.data-vs-op graph.grad-fn-wrapping

import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0)


def saved(node):
    return {name: getattr(node, name) for name in dir(node) if name.startswith("_saved_")}


print(saved((w * w).grad_fn))
#> {'_saved_other': tensor(3., requires_grad=True), '_saved_self': tensor(3., requires_grad=True)}
print(saved((w * x).grad_fn))
#> {'_saved_other': tensor(2.), '_saved_self': None}
print(saved(w.exp().grad_fn))
#> {'_saved_result': tensor(20.0855, grad_fn=<ExpBackward0>)}
print(saved((w + w).grad_fn))
#> {'_saved_alpha': 1}
