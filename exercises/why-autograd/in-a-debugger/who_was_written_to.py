"""Which of these tensors are at version 1 when the program ends?"""
# exercise: point
# covers: debug.tensor-inspector
# about: why-autograd/in-a-debugger.md#what-is-not
# at: tensors
# answer: where it._version == 1
# hint: A write is counted for the memory, so for every tensor that uses it.
# hint: A slice is a view. `clone` and `flip` compute new numbers.

# %% start
import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = w * 2
part = h[1:]
copy = h.clone()
turned = h.flip(0)
part.add_(1)
loss = (part.sum() + copy.sum() + turned.sum() + h.sum())
loss.backward()

# %% wrong: part
# hint: The program writes to `part`, which uses the memory of `h`.

# %% wrong: part; h; copy
# hint: A clone has a new memory and a new counter.

# %% wrong: part; h; turned
# hint: A step of −1 through memory isn't possible in PyTorch, so `flip` makes a new tensor.
