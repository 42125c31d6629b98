"""Others use the tensor `shared`, too. Which lines change its numbers?"""
# exercise: point
# covers: inplace.definition
# about: in-place/index.md#a-new-tensor-or-the-old-one
# at: line
# answer: changes shared.tolist()
# hint: For each line, find out whether it writes, and if so, into whose memory.
# hint: A slice is a view, a clone is not. `b + 1` makes a tensor, `b += 1` doesn't.

# %% start
import torch

source = [1.0, 2.0, 3.0]
shared = torch.tensor(source)
a = shared
a = a * 2
a.zero_()
b = shared[1:]
b += 1
b = b + 1
b[0] = 100.0
c = shared.clone()
c[0] = 7.0
torch.neg(c, out=shared)

# %% wrong: a.zero_()
# hint: It writes, but the line above has given the name `a` to a new tensor.

# %% wrong: b[0] = 100.0
# hint: `b` was a view of `shared` two lines earlier. Now it is the name of a new tensor.

# %% wrong: c[0] = 7.0
# hint: A clone has memory of its own.

# %% wrong: b = b + 1
# hint: The sum is a new tensor. This line writes into nothing.

# %% wrong: b += 1
# hint: That's one of them. There are other ways to write an in-place operation.
