"""Two counts of the memory of a step predict a third."""
# covers: memory.estimate-formula memory.four-costs

import torch
from torch import nn

model = nn.Sequential(nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def size(tensors):
    return sum(t.numel() * t.element_size() for t in tensors if t is not None)


def held(batch):
    """All that is held when the forward pass of a second step has ended, in bytes."""
    own, sizes = {p.data_ptr() for p in model.parameters()}, {}

    def pack(tensor):
        if tensor.data_ptr() not in own:
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    for step in range(2):
        optimizer.zero_grad()
        sizes.clear()
        x = torch.randn(batch, 100)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            loss = model(x).square().mean()
        if step == 0:
            loss.backward()
            optimizer.step()
    state = [t for s in optimizer.state.values() for t in s.values()]
    return size(model.parameters()) + size(state) + sum(sizes.values())


print(held(10))
#> 50880
print(held(20))
#> 57280
print(held(100))
#> 108480
