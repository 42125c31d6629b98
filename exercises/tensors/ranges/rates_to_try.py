"""`rates` should return four learning rates from 0.0001 to 0.1, both included, each ten times the one before. The ends are right, and the two between them aren't. Repair it."""
# exercise: repair
# covers: tensor-create.logspace
# about: tensors/ranges.md#logspace
# hint: Equal steps or equal factors?
# hint: `logspace` wants exponents. Ten to which power is 0.0001?

# %% start
import torch


def rates():
    return torch.linspace(0.0001, 0.1, 4)


print(rates())

# %% solution
# -     return torch.linspace(0.0001, 0.1, 4)
# +     return torch.logspace(-4, -1, 4)

# %% right: by hand
# -     return torch.linspace(0.0001, 0.1, 4)
# +     return 10.0 ** torch.arange(-4, 0)

# %% check
_made = rates()
assert _made.numel() == 4, f"Four rates are wanted, and there are {_made.numel()}."
assert not (_made > 1).any(), "Rates above 1: the ends were taken for exponents. 10 to the power 0.0001 is a little more than 1."
assert not torch.allclose(_made[1:] - _made[:-1], _made[1] - _made[0]), "All steps are equal. It is the factors that should be."
assert torch.allclose(_made[1:] / _made[:-1], torch.tensor(10.0)), "The factors aren't 10. With another base the exponents mean something else."
assert torch.allclose(_made[-1], torch.tensor(0.1)), "The factors are right, and the last rate should be 0.1."

# %% wrong: values for exponents
# -     return torch.linspace(0.0001, 0.1, 4)
# +     return torch.logspace(0.0001, 0.1, 4)

# %% wrong: an end left out
# -     return torch.linspace(0.0001, 0.1, 4)
# +     return 10.0 ** torch.arange(-4, -1)

# %% wrong: another base
# -     return torch.linspace(0.0001, 0.1, 4)
# +     return torch.logspace(-4, -1, 4, base=2)

# %% wrong: one power too far
# -     return torch.linspace(0.0001, 0.1, 4)
# +     return torch.logspace(-3, 0, 4)
