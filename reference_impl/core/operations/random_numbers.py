"""Create tensors with random numbers."""

from reference_impl.core.operations.creation import create_filled
from reference_impl.core.tensor import Tensor
from reference_impl.rng import distributions
from reference_impl.rng.generator import default_generator_impl


def manual_seed(seed: int) -> None:
    """Seed the random number generator. It then returns the same numbers as torch's generator with this seed."""
    default_generator_impl.set_current_seed(int(seed))


def rand(*size, dtype=None, requires_grad=False) -> Tensor:
    """Return random numbers from the uniform distribution on [0, 1), in the shape `size`, by default in the default dtype."""
    return create_filled(distributions.sample_rand, size, dtype, requires_grad)


def randn(*size, dtype=None, requires_grad=False) -> Tensor:
    """Return random numbers from the normal distribution with mean 0 and standard deviation 1, in the shape `size`.

    Without `dtype`, they have the default dtype.
    """
    return create_filled(distributions.sample_randn, size, dtype, requires_grad)
