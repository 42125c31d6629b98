"""Of the nodes that are ready, the one recorded last runs first."""
# covers: engine-v01.backward-loop

import torch

x = torch.tensor(1.0, requires_grad=True)
a = x * 2
b = x * 3
a2 = a * 4
b2 = b * 5
loss = a2 + b2
for name, t in {"a": a, "b": b, "a2": a2, "b2": b2}.items():
    t.grad_fn.register_hook(lambda *_, name=name: print(name))
loss.backward()
#> b2
#> a2
#> b
#> a
