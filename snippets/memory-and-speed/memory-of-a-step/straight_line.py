"""The saved bytes are a linear function of the batch size, so two counts predict all others."""
# covers: memory.estimate-formula

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(6 * 12 * 12, 10))


def kept(batch):
    """The bytes that nodes keep for backward for `batch` pictures, the input included."""
    known = {p.data_ptr() for p in model.parameters()}
    sizes = {}

    def pack(tensor):
        if tensor.data_ptr() not in known:
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    x = torch.zeros(batch, 1, 28, 28)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(x)
    return sum(sizes.values())


one_more = kept(2) - kept(1)
print(one_more, "bytes for each picture,", kept(1) - one_more, "for none")
#> 20416 bytes for each picture, 0 for none
print(32 * one_more, kept(32))
#> 653312 653312
memory = 16_000_000  # bytes that are left beside the model
print("largest batch:", memory // one_more)
#> largest batch: 783
