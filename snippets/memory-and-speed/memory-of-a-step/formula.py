"""The formula estimates three terms, and a count shows what is really saved."""
# covers: memory.estimate-formula

import torch


def size(tensors):
    return sum(t.numel() * t.element_size() for t in tensors)


# region: formula
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 6, 5),
    torch.nn.ReLU(),
    torch.nn.AvgPool2d(2),
    torch.nn.Flatten(),
    torch.nn.Linear(6 * 12 * 12, 10),
)
optimizer = torch.optim.Adam(model.parameters())
batch = torch.zeros(32, 1, 28, 28)

outputs, x = 0, batch[:1]
with torch.no_grad():
    for layer in model:
        x = layer(x)
        outputs += x.numel()
parameters = sum(p.numel() for p in model.parameters())
print(parameters, "parameters,", outputs, "outputs for one sample")
#> 8806 parameters, 8650 outputs for one sample
terms = [4 * parameters * 4, 32 * outputs * 2 * 4, size([batch])]
print("formula:", terms, sum(terms))
#> formula: [140896, 2214400, 100352] 2455648
# endregion

# region: count
kept = {}


def pack(tensor):
    kept[tensor.data_ptr()] = tensor
    return tensor


with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    loss = model(batch).sum()
own = {p.data_ptr() for p in model.parameters()}
saved = [tensor for pointer, tensor in kept.items() if pointer not in own and tensor is not batch]
print([tuple(tensor.shape) for tensor in saved])
#> [(32, 6, 24, 24), (32, 864)]
loss.backward()
optimizer.step()
model_size = size(model.parameters()) + size(p.grad for p in model.parameters())
state = size(t for s in optimizer.state.values() for t in s.values())
counted = [model_size + state, size(saved), size([batch])]
print("counted:", counted, sum(counted))
#> counted: [140912, 552960, 100352] 794224
# endregion

names = ("model and optimizer", "outputs", "input")
bars = {"formula": dict(zip(names, terms)), "counted": dict(zip(names, counted))}
