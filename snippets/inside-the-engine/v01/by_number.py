"""Of the nodes that are ready, the one that was recorded last runs first."""
# covers: engine-v01.backward-loop

import torch

x = torch.tensor(1.0, requires_grad=True)
a = x * 2
b = x * 3
a2 = a * 4
b2 = b * 5
loss = a2 + b2
for name, node in {"a": a.grad_fn, "b": b.grad_fn, "a2": a2.grad_fn, "b2": b2.grad_fn}.items():
    node.register_hook(lambda *_, name=name: print(name))
loss.backward()
#> b2
#> a2
#> b
#> a
