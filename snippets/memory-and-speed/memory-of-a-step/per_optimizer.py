"""After one step, memory holds each parameter, its gradient and the state of the optimizer."""
# covers: memory.estimate-formula

import torch

for name, make in {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
    "SGD with momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "Adam": lambda p: torch.optim.Adam(p),
    "Adam with amsgrad": lambda p: torch.optim.Adam(p, amsgrad=True),
}.items():
    w = torch.zeros(1000, requires_grad=True)
    optimizer = make([w])
    w.sum().backward()
    optimizer.step()
    state = sum(t.numel() for s in optimizer.state.values() for t in s.values() if isinstance(t, torch.Tensor))
    print(f"{name}: n = {2 + state / 1000:.3f}")
#> SGD: n = 2.000
#> SGD with momentum: n = 3.000
#> Adam: n = 4.001
#> Adam with amsgrad: n = 5.001
