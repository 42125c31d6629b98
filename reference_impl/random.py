"""`torch.random`: generators and seeds.

Random bits come from `rng.generator`; `rng.distributions` and `rng.permutation` turn bits into numbers.

After the same seed, every distribution, dropout and the initialisation of every layer give the same numbers as torch, to the last
bit, and leave the generator in the same state. Exceptions:

- on a GPU, torch draws from another generator (Philox). The engine draws on the CPU and copies the numbers to the GPU;
- on a processor without AVX2, the last digits of torch's `randn` differ;
- the last digits of `init.orthogonal_` differ, for it decomposes a matrix;
- absent are `poisson`, `binomial`, `cauchy_`, `geometric_`, `log_normal_`, `quasirandom`, `torch.distributions` (gamma, beta,
  Dirichlet), `init.sparse_`, complex and bfloat16 numbers, and permutations of 214,748,364 and more elements.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from reference_impl._device import device as device_type
from reference_impl.arguments.parser import is_index
from reference_impl.core.tensor import Tensor
from reference_impl.rng.generator import CPUGeneratorImpl, default_generator_impl, non_deterministic_seed

__all__ = ["set_rng_state", "get_rng_state", "manual_seed", "seed", "initial_seed", "fork_rng"]


class Generator:
    """A separate source of random bits. The same seed gives the same numbers as `torch.Generator`.

    A new generator starts from the seed 67280421310721.

    Attributes:
        device: always the CPU.
        impl: the state, a `CPUGeneratorImpl`.

    Raises:
        RuntimeError: the device is not the CPU.
    """

    def __init__(self, device: Any = "cpu") -> None:
        self.device = device_type(device)
        if self.device.type != "cpu":
            raise RuntimeError(f"Generator(device='{self.device}'): reference_impl has only the generator of the CPU")
        self.impl = CPUGeneratorImpl()

    def manual_seed(self, seed: int) -> Generator:
        """Restart from `seed`, and return this generator.

        Raises:
            RuntimeError: `seed` is not an integer.
            ValueError: `seed` is outside [-2^63, 2^64).
        """
        if not is_index(seed):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        seed = int(seed)
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        with self.impl.mutex:
            self.impl.set_current_seed(seed)
        return self

    def seed(self) -> int:
        """Restart from a random seed, drawn from the system's entropy, and return the seed."""
        seed = non_deterministic_seed()
        self.manual_seed(seed)
        return seed

    def initial_seed(self) -> int:
        """Return the seed from which this generator started, in [0, 2^64)."""
        return self.impl.current_seed()

    def get_state(self) -> Tensor:
        """Return the state, a uint8 tensor of 5056 bytes. torch's generator accepts it too."""
        with self.impl.mutex:
            return Tensor._wrap(self.impl.get_state())

    def set_state(self, new_state: Tensor) -> Generator:
        """Continue from a state that `get_state` returned.

        Raises:
            TypeError: `new_state` is not a uint8 tensor on the CPU.
            RuntimeError: `new_state` has another size, or is not a state of a Mersenne Twister.
        """
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        data = new_state._array
        if not isinstance(data, np.ndarray) or data.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        with self.impl.mutex:
            self.impl.set_state(data)
        return self

    def __reduce__(self) -> Any:
        return (_restored, (self.get_state().numpy(),))


Generator.__module__ = "torch._C"


def _restored(state: np.ndarray) -> Generator:
    """Return a new generator in the pickled `state`."""
    generator = Generator()
    generator.impl.set_state(state)
    return generator


default_generator = Generator()
default_generator.impl = default_generator_impl


def manual_seed(seed: Any) -> Generator:
    """Seed the default generator with `int(seed)`, and return it.

    Raises:
        ValueError: `seed` is outside [-2^63, 2^64).
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Seed the default generator from the system's entropy and return the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed from which the default generator started."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the default generator, a uint8 tensor of 5056 bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Set the state of the default generator to `new_state`, a result of `get_rng_state`."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(
    devices: Any = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:
    """Context manager: at the end of the block, restore the state that the default generator had before the block.

    Args:
        devices: GPUs whose generators torch restores too; ignored, because the engine has no generators for GPUs.
        enabled: if False, the state is not restored.
        device_type: "meta" has the same effect as `enabled=False`; other values are ignored.
    """
    if not enabled or device_type == "meta":
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
