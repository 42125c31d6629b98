"""How many bytes the nodes save, layer by layer, and how many are left after `backward`."""
# covers: autograd.leaf.memory

import torch


def saved_tensors(node):
    try:
        values = [getattr(node, name) for name in dir(node) if name.startswith("_saved_")]
    except RuntimeError:  # `backward` has freed them
        return []
    return [value for value in values if torch.is_tensor(value)]


def saved_bytes(node):
    """Add up the bytes of the tensors that this node and those before it have saved."""
    size_by_address = {}  # each memory once
    while node is not None:
        for tensor in saved_tensors(node):
            size_by_address[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        node = node.next_functions[0][0]  # one operation back
    return sum(size_by_address.values())


held = {}
h = torch.ones(360, 64)
w = torch.ones(64, 64, requires_grad=True)
for layer in range(1, 5):
    h = torch.tanh(h @ w)
    held[f"forward, layer {layer}"] = saved_bytes(h.grad_fn)
mean = h.mean()
mean.backward()
held["after backward"] = saved_bytes(mean.grad_fn)

print(held["forward, layer 4"], held["after backward"])
#> 477184 0
