"""`backward` needs three results, but in-place operations leave a single block of memory."""
# covers: inplace.why-not-supported

import torch

stored = []


def pack(tensor):
    stored.append(tensor.data_ptr())
    return tensor


x = torch.ones(1000, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    h = x * 1
    h = h.sigmoid()
    h = h.sigmoid()
    h = h.sigmoid()
print("needed:", len(stored), "blocks:", len(set(stored)))
#> needed: 3 blocks: 3
h.sum().backward()
print(x.grad.shape)
#> torch.Size([1000])

stored.clear()
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    h = x * 1
    h.sigmoid_().sigmoid_().sigmoid_()
print("needed:", len(stored), "blocks:", len(set(stored)))
#> needed: 3 blocks: 1

h = x * 1
h.sigmoid_().sigmoid_().sigmoid_()
h.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
