"""Activations are the tensors that the graph saves for the backward pass."""
# covers: memory.four-costs

import torch

model = torch.nn.Sequential(torch.nn.Linear(100, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))
parameters = {p.data_ptr() for p in model.parameters()}


def measure(batch):
    kept = {}

    def pack(tensor):
        if tensor.data_ptr() not in parameters:
            kept[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    x = torch.zeros(batch, 100)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = model(x).sum()
    total = sum(kept.values())
    loss.backward()
    return total


print([measure(batch) for batch in (1, 64, 128)])
#> [600, 38400, 76800]
