"""The formula against a count: parameters times n, plus twice the outputs of all layers."""
# covers: memory.estimate-formula
# engines: torch -- it counts what PyTorch's own nodes save; reference_impl keeps the positions of maxima in another form

import torch

model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 6, 5),
    torch.nn.ReLU(),
    torch.nn.MaxPool2d(2),
    torch.nn.Flatten(),
    torch.nn.Linear(6 * 12 * 12, 10),
)
outputs = 0
x = torch.zeros(32, 1, 28, 28)
with torch.no_grad():
    for layer in model:
        x = layer(x)
        outputs += x.numel()
parameters = sum(p.numel() for p in model.parameters())
print(parameters, outputs)
#> 8806 276800
print("formula:", 4 * (parameters * 4 + outputs * 2))
#> formula: 2355296

kept = {}


def pack(tensor):
    kept[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
    return tensor


with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    model(torch.zeros(32, 1, 28, 28)).sum()
own = {p.data_ptr() for p in model.parameters()}
print("counted:", 4 * parameters * 4 + sum(n for pointer, n in kept.items() if pointer not in own))
#> counted: 1015392
