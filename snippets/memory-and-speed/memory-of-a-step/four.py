"""Parameters, gradients, optimizer state and activations take memory, counted in bytes."""
# covers: memory.four-costs

import torch


def size(tensors):
    return sum(t.numel() * t.element_size() for t in tensors if t is not None)


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(100, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))
optimizer = torch.optim.Adam(model.parameters())


taken = {}


def report(when):
    state = [t for s in optimizer.state.values() for t in s.values()]
    parts = {"parameters": size(model.parameters()), "gradients": size(p.grad for p in model.parameters()), "state": size(state)}
    taken[when.strip(" :")] = parts
    print(when, *parts.values())


report("made:     ")
#> made:      22240 0 0
loss = model(torch.randn(64, 100)).sum()
report("forward:  ")
#> forward:   22240 0 0
loss.backward()
report("backward: ")
#> backward:  22240 22240 0
optimizer.step()
report("step:     ")
#> step:      22240 22240 44496
optimizer.zero_grad()
report("zero_grad:")
#> zero_grad: 22240 0 44496
