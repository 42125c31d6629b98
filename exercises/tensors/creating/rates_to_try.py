"""The first and the last learning rate are right, but the two between them are nearly as large as the last. Repair `rates`: it should return four rates from 0.0001 to 0.1, each ten times the previous one."""
# exercise: repair
# covers: tensor-create.logspace
# about: tensors/creating.md#logspace
# hint: The rates need equal factors, and `linspace` gives equal steps.
# hint: `logspace` takes exponents: 0.0001 is ten to the power −4.

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
assert _made.numel() == 4, f"There should be four rates, and there are {_made.numel()}."
assert not (_made > 1).any(), "Your rates are above 1, because `logspace` takes its ends as exponents. Ten to the power 0.0001 is slightly more than 1."
assert not torch.allclose(_made[1:] - _made[:-1], _made[1] - _made[0]), "All steps are equal. The factors should be equal instead."
assert torch.allclose(_made[1:] / _made[:-1], torch.tensor(10.0)), "The factors should be 10. Exponents −4 to −1 belong to the base 10."
assert torch.allclose(_made[-1], torch.tensor(0.1)), "The factors are right, but the last rate should be 0.1."

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
