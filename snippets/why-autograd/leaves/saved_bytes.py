"""How many bytes the nodes save, layer by layer, and how many are left after `backward`."""
# covers: autograd.leaf.memory

import weakref

import torch

saved_tensors = weakref.WeakSet()


class Saved:
    """Takes the place of a saved tensor in its node, so that it can be counted."""

    def __init__(self, tensor):
        self.tensor = tensor
        saved_tensors.add(self)


def saved_bytes():
    by_address = {saved.tensor.data_ptr(): saved.tensor for saved in saved_tensors}  # each memory once
    return sum(tensor.numel() * tensor.element_size() for tensor in by_address.values())


held = {}
h = torch.ones(360, 64)
w = torch.ones(64, 64, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(Saved, lambda saved: saved.tensor):
    for layer in range(1, 5):
        h = torch.tanh(h @ w)
        held[f"forward, layer {layer}"] = saved_bytes()
h.mean().backward()
held["after backward"] = saved_bytes()

print(held["forward, layer 4"], held["after backward"])
#> 477184 0
