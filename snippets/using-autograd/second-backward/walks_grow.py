"""With `retain_graph=True`, each backward pass goes through all earlier steps; with `detach`, through one."""
# covers: autograd.backward.read-message

import torch

def walked(cut):
    w = torch.tensor([0.5], requires_grad=True)
    state, visits, counts = torch.tensor([1.0]), [], []
    for _ in range(8):
        state = torch.tanh(w * (state.detach() if cut else state))
        state.register_hook(lambda grad: visits.append(1))
        visits.clear()
        state.sum().backward(retain_graph=not cut)
        counts.append(len(visits))
    return counts

retained, detached = walked(cut=False), walked(cut=True)
print(retained)
#> [1, 2, 3, 4, 5, 6, 7, 8]
print(detached)
#> [1, 1, 1, 1, 1, 1, 1, 1]
