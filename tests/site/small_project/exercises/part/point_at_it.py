"""Which lines change `shared`?"""
# exercise: point
# covers: theory.two-phases
# about: part/index.md#sums
# at: line
# answer: changes shared.tolist()
# hint: Which lines write?

# %% start
import torch

shared = torch.ones(2)
a = shared * 2
a.zero_()
shared[0] = 7.0

# %% wrong: a.zero_()
# hint: It writes to a product.
