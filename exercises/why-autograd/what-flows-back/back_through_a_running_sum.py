"""`y = x.cumsum(0)` is the running sum: `y[i]` adds up `x[0]` to `x[i]`. Write what its node computes in the backward pass, without a matrix and without `backward`.

`back(arrives)` takes the gradient with respect to `y` and returns the gradient with respect to `x`.
"""
# exercise: write
# covers: theory.matrixslow-jacobian
# about: why-autograd/what-flows-back.md#the-jacobian
# hint: Write down for each input which of the outputs contain it.
# hint: `x[0]` is in all outputs, so its gradient is the sum of all elements of `arrives`. `x[2]` is only in the last output.
# hint: `flip(0)` reverses a vector.

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
assert _mine != [1.0, 10.0, 100.0], "This is `arrives` itself. `x[0]` is part of all three outputs, but here it gets only the contribution of the first."
assert _mine != [1.0, 11.0, 111.0], "This is another running sum. The last input gets all contributions here, although it is in one output only. Add from the other end."
assert _mine != [111.0, 111.0, 111.0], "Each input gets the sum of all contributions. Only `x[0]` is part of all outputs."
assert _mine == [111.0, 110.0, 100.0], "Put a 1 at one position of `arrives` and zeros elsewhere. The inputs that this output adds up should get 1."

# %% wrong: the running sum again
# -     return arrives
# +     return arrives.cumsum(0)

# %% wrong: all of it for each
# -     return arrives
# +     return arrives.sum() * torch.ones(3)

# %% wrong: turned round once
# -     return arrives
# +     return arrives.flip(0).cumsum(0)
