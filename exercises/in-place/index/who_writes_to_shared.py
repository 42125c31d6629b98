"""Other parts of the program use the tensor `shared` as well. Which lines change its numbers?"""
# exercise: point
# covers: inplace.definition
# about: in-place/index.md#a-new-tensor-or-the-old-one
# at: line
# answer: changes shared.tolist()
# hint: Decide for each line whether it writes. If it does, find the tensor whose memory it writes to.
# hint: A slice is a view and shares memory, but a clone doesn't. `b + 1` computes a new tensor, and `b += 1` writes into the existing one.

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
# hint: This line writes in place, but not into `shared`: since the line above, `a` is the name of a new tensor.

# %% wrong: b[0] = 100.0
# hint: Two lines earlier, `b` was still a view of `shared`. Since `b = b + 1` it is the name of a new tensor.

# %% wrong: c[0] = 7.0
# hint: This line writes into a clone. A clone has its own memory, so `shared` doesn't change.

# %% wrong: b = b + 1
# hint: This line computes a new tensor and gives it the name `b`. It writes into no existing tensor.

# %% wrong: b += 1
# hint: That line writes to `shared`, but it isn't the only one. Look at the other spellings of an in-place operation.
