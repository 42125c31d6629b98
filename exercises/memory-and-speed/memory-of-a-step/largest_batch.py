"""Write `largest_batch`, which returns for how many samples the saved tensors, including the input, fit into `budget` bytes.

Count the saved tensors of a run, because the outputs of modules don't show them. Run no batch of more than 4 samples, and don't count parameters.
"""
# exercise: write
# covers: memory.estimate-formula
# about: memory-and-speed/memory-of-a-step.md#count-what-runs
# hint: `torch.autograd.graph.saved_tensors_hooks(pack, unpack)` calls `pack` for each tensor that is saved; both return the tensor.
# hint: Two nodes may save the same memory. Store the sizes in a dict with the key `data_ptr()`.
# hint: Count for 1 and for 2 samples. The difference is what each further sample adds, and the rest of the first count is the same for any batch.

# %% start
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(100, 50), nn.Linear(50, 10)
        self.table = torch.ones(200, 50)  # not a parameter

    def forward(self, x):
        h = torch.relu(self.first(x))
        weight = (self.table * self.first.bias).mean(dim=0)
        return self.last(h * weight.sigmoid() + h * h)


def largest_batch(model, sample, budget):
    """`sample` has shape (1, ...). How many of them may a batch have, if `budget` bytes are left for what is saved?"""
    return 0


print(largest_batch(Model(), torch.zeros(1, 100), 1_000_000))

# %% solution
# -     return 0
# +     own = {p.data_ptr() for p in model.parameters()}
# +     counts = []
# +     for many in (1, 2):
# +         sizes = {}
# +         def pack(tensor):
# +             if tensor.data_ptr() not in own:
# +                 sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
# +             return tensor
# +         x = torch.cat([sample] * many)
# +         with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
# +             y = model(x)
# +         counts.append(sum(sizes.values()))
# +     each = counts[1] - counts[0]
# +     return (budget - (counts[0] - each)) // each

# %% check
def _count(model, x, once=True):
    own = {p.data_ptr() for p in model.parameters()}
    sizes, total = {}, []

    def pack(tensor):
        if tensor.data_ptr() not in own:
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
            total.append(sizes[tensor.data_ptr()])
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = model(x)
    return sum(sizes.values()) if once else sum(total)


_model, _sizes = Model(), []
_model.register_forward_pre_hook(lambda module, inputs: _sizes.append(len(inputs[0])))
_budget = 1_000_000
_answer = largest_batch(_model, torch.zeros(1, 100), _budget)
_seen, _sizes = list(_sizes), []
_one, _two = _count(_model, torch.zeros(1, 100)), _count(_model, torch.zeros(2, 100))
_each = _two - _one
_want = (_budget - (_one - _each)) // _each
assert _seen or _answer != 0, "The function counts nothing yet."
assert _seen, f"Your result, {_answer}, was computed without running the model, but the right number is {_want}. Its `forward` has operations that aren't in a list of layers."
assert max(_seen) <= 4, f"A batch of {max(_seen)} ran. If it were too large, the program would already be out of memory."
assert _answer != _budget // _one, "Not all that is saved for *one* sample depends on the number of samples. The table is saved once for any batch."
assert _answer != _budget // _each, "This is right for a model that saves nothing for an empty batch. Subtract the table from the budget first."
assert _answer == _want, f"{_want} samples fit, but your result is {_answer}. Count each tensor once and no parameters."

# %% wrong: twice the outputs
# -     return 0
# +     return budget // (4 * (2 * 60 + 100))

# %% wrong: try until it is too much
# -     return 0
# +     many = 1
# +     while True:
# +         total = []
# +         with torch.autograd.graph.saved_tensors_hooks(lambda t: total.append(t.numel() * 4) or t, lambda t: t):
# +             y = model(torch.cat([sample] * many))
# +         if sum(total) > budget:
# +             return many - 1
# +         many *= 2

# %% wrong: one sample times the batch
# -     return 0
# +     own = {p.data_ptr() for p in model.parameters()}
# +     sizes = {}
# +     def pack(tensor):
# +         if tensor.data_ptr() not in own:
# +             sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
# +         return tensor
# +     with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
# +         y = model(sample)
# +     return budget // sum(sizes.values())

# %% wrong: nothing for an empty batch
# -     return 0
# +     own = {p.data_ptr() for p in model.parameters()}
# +     counts = []
# +     for many in (1, 2):
# +         sizes = {}
# +         def pack(tensor):
# +             if tensor.data_ptr() not in own:
# +                 sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
# +             return tensor
# +         x = torch.cat([sample] * many)
# +         with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
# +             y = model(x)
# +         counts.append(sum(sizes.values()))
# +     return budget // (counts[1] - counts[0])

# %% wrong: each saving counted
# -     return 0
# +     counts = []
# +     for many in (1, 2):
# +         total = []
# +         with torch.autograd.graph.saved_tensors_hooks(lambda t: total.append(t.numel() * 4) or t, lambda t: t):
# +             y = model(torch.cat([sample] * many))
# +         counts.append(sum(total))
# +     each = counts[1] - counts[0]
# +     return (budget - (counts[0] - each)) // each
