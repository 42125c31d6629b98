"""`y = x.cumsum(0)` is the running sum: `y[i]` adds up `x[0]` to `x[i]`. Write what its node does on the way back, without a matrix and without `backward`.

`back(arrives)` takes the gradient for `y` and returns the gradient for `x`.
"""
# exercise: write
# covers: theory.matrixslow-jacobian
# about: why-autograd/what-flows-back.md#the-jacobian
# hint: Write down for each input which of the outputs contain it.
# hint: `x[0]` is in all outputs, so everything that arrives goes to it. `x[2]` is in the last one only.
# hint: `flip(0)` turns a vector round.

# %% start
import torch


def back(arrives):
    return arrives


print(back(torch.tensor([1.0, 10.0, 100.0])))

# %% solution
# -     return arrives
# +     return arrives.flip(0).cumsum(0).flip(0)

# %% right: the total, less what came before
# -     return arrives
# +     return arrives.sum() - arrives.cumsum(0) + arrives

# %% check
_given = torch.tensor([1.0, 10.0, 100.0])
_mine = back(_given).tolist()
assert _mine != [1.0, 10.0, 100.0], "That's what arrives. But `x[0]` is part of all three outputs, and gets only the share of the first."
assert _mine != [1.0, 11.0, 111.0], "The running sum once more. Here the last input gets everything, although it is in one output only. Look at it from the other end."
assert _mine != [111.0, 111.0, 111.0], "Each input gets everything that arrives. Is each of them part of all outputs?"
assert _mine == [111.0, 110.0, 100.0], "Put a 1 at one place of `arrives` and zeros elsewhere: which inputs is that output made of?"

# %% wrong: the running sum again
# -     return arrives
# +     return arrives.cumsum(0)

# %% wrong: all of it for each
# -     return arrives
# +     return arrives.sum() * torch.ones(3)

# %% wrong: turned round once
# -     return arrives
# +     return arrives.flip(0).cumsum(0)
