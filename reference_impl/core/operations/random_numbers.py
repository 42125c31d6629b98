"""Create tensors with random numbers."""

from reference_impl.core.operations.creation import create_filled
from reference_impl.core.tensor import Tensor
from reference_impl.rng import distributions
from reference_impl.rng.generator import default_generator_impl


def manual_seed(seed: int) -> None:
    """Seed the generator. It then gives the same numbers as torch for this seed."""
    default_generator_impl.set_current_seed(int(seed))


def rand(*size, dtype=None, requires_grad=False) -> Tensor:
    """Return uniform numbers in [0, 1)."""
    return create_filled(distributions.sample_rand, size, dtype, requires_grad)


def randn(*size, dtype=None, requires_grad=False) -> Tensor:
    """Return normal numbers with mean 0 and standard deviation 1."""
    return create_filled(distributions.sample_randn, size, dtype, requires_grad)
