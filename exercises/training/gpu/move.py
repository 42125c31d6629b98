"""Batches come as tensors, lists, tuples and dicts, nested in one another. Write `move`, which moves all the tensors in a batch to a target and leaves the rest unchanged.

The target is any argument of `to`. Without a GPU, the program converts to float64. On a GPU, the same function would get `"cuda"`.
"""
# exercise: write
# covers: gpu.device-snippet
# about: training/gpu.md#to-on-a-tensor-to-on-a-module
# hint: `to` on a tensor returns a new tensor and leaves the old one as it is.
# hint: A function may call itself for the elements of a container.

# %% start
import torch


def move(batch, target):
    """`batch` in the same form, with every tensor in it brought to `target`."""
    batch.to(target)
    return batch


print(move(torch.ones(2), torch.float64).dtype)

# %% solution
# -     batch.to(target)
# -     return batch
# +     if isinstance(batch, torch.Tensor):
# +         return batch.to(target)
# +     if isinstance(batch, dict):
# +         return {name: move(part, target) for name, part in batch.items()}
# +     if isinstance(batch, (list, tuple)):
# +         return type(batch)(move(part, target) for part in batch)
# +     return batch

# %% check
_tensor = torch.ones(2)
_out = move(_tensor, torch.float64)
assert isinstance(_out, torch.Tensor) and _out.dtype == torch.float64, "A single tensor comes back unchanged. `to` doesn't change the tensor but returns another one."
try:
    _text = move("seven", torch.float64)
except AttributeError:
    _text = None
assert _text == "seven", "Text has no `to`. Return it unchanged."
_pair = move([torch.ones(1), torch.zeros(1)], torch.float64)
assert isinstance(_pair, list) and [_one.dtype for _one in _pair] == [torch.float64] * 2, "The tensors in a list weren't moved."
_both = move((torch.ones(1), 3), torch.float64)
assert isinstance(_both, tuple) and _both[1] == 3, "A tuple should come back as a tuple, with its numbers unchanged."
_deep = move({"x": [torch.ones(1), {"mask": torch.ones(1)}], "name": "a"}, torch.float64)
assert isinstance(_deep, dict) and _deep["name"] == "a" and _deep["x"][0].dtype == torch.float64, "The tensors in a dict weren't moved, or its text is gone."
assert _deep["x"][1]["mask"].dtype == torch.float64, "A tensor in a dict in a list in a dict wasn't moved. Handle containers at any depth."

# %% wrong: tensors only
# -     batch.to(target)
# -     return batch
# +     return batch.to(target)

# %% wrong: no containers
# -     batch.to(target)
# -     return batch
# +     return batch.to(target) if isinstance(batch, torch.Tensor) else batch

# %% wrong: always a list
# -     batch.to(target)
# -     return batch
# +     if isinstance(batch, torch.Tensor):
# +         return batch.to(target)
# +     if isinstance(batch, dict):
# +         return {name: move(part, target) for name, part in batch.items()}
# +     if isinstance(batch, (list, tuple)):
# +         return [move(part, target) for part in batch]
# +     return batch

# %% wrong: no dicts
# -     batch.to(target)
# -     return batch
# +     if isinstance(batch, torch.Tensor):
# +         return batch.to(target)
# +     if isinstance(batch, (list, tuple)):
# +         return type(batch)(move(part, target) for part in batch)
# +     return batch

# %% wrong: one level deep
# -     batch.to(target)
# -     return batch
# +     def one(part):
# +         return part.to(target) if isinstance(part, torch.Tensor) else part
# +     if isinstance(batch, dict):
# +         return {name: move(part, target) if isinstance(part, list) else one(part) for name, part in batch.items()}
# +     if isinstance(batch, (list, tuple)):
# +         return type(batch)(one(part) for part in batch)
# +     return one(batch)
