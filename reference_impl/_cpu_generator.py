"""torch's CPU random number generator, on NumPy's Mersenne Twister.

Both are MT19937 with 624 words of state, both are seeded by Knuth's `1812433253 * (x ^ x >> 30) + i`, so a
NumPy `RandomState` with torch's words gives torch's bits, at NumPy's speed. What torch has beyond that is
here: 64-bit draws made of two 32-bit ones, the second half of a Box-Muller pair kept for the next call, and
the 5056 bytes of `torch.get_rng_state()`.

Sources: ATen/core/MT19937RNGEngine.h and ATen/CPUGeneratorImpl.cpp of PyTorch 2.13; Matsumoto and Nishimura,
"Mersenne Twister", ACM TOMACS 8 (1998).
"""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

# What torch.Generator() starts from; the default generator starts from the system's entropy.
DEFAULT_SEED = 67280421310721

_WORDS = 624

# The C struct CPUGeneratorImplState: 5056 bytes, each word of the Twister in 64 bits for the sake of old
# checkpoints.
_STATE = np.dtype(
    [
        ("initial_seed", np.uint64),
        ("left", np.int32),
        ("seeded", np.int32),
        ("next", np.uint64),
        ("words", np.uint64, _WORDS),
        ("normal_x", np.float64),
        ("normal_y", np.float64),
        ("normal_rho", np.float64),
        ("normal_is_valid", np.int32),
        ("_padding", np.int32),
        ("next_float_normal", np.float32),
        ("float_normal_is_valid", np.bool_),
        ("_tail", np.bool_, 3),
    ]
)
STATE_BYTES = _STATE.itemsize


class CPUGeneratorImpl:
    """The bits behind a `torch.Generator` of the CPU.

    Attributes:
        mutex: held by a sampler for the whole of one call, so that two threads never share a draw.
        next_double_normal_sample: the normal number that the last Box-Muller pair left over, or None.
    """

    def __init__(self, seed: int | None = DEFAULT_SEED) -> None:
        self.mutex = threading.Lock()
        self.next_double_normal_sample: float | None = None
        # No CPU code of torch 2.13 sets this one, but it is part of the state.
        self._next_float_normal_sample: float | None = None
        self._seed = seed
        # Made on the first draw: numpy.random takes 20 ms to import, and many programs never draw.
        self._twister: Any = None
        self._next_when_spent = 0

    def set_current_seed(self, seed: int) -> None:
        """Start over from `seed` (64 bits are kept, the lower 32 seed the Twister)."""
        self._seed = seed & 0xFFFFFFFFFFFFFFFF
        self._twister = None
        self._next_when_spent = 0
        self.next_double_normal_sample = self._next_float_normal_sample = None

    def current_seed(self) -> int:
        """The seed last set. A generator without one takes it from the system's entropy, once."""
        if self._seed is None:
            self._seed = non_deterministic_seed()
        return self._seed

    def random(self, count: int) -> np.ndarray:
        """The next `count` draws of 32 bits, uint32."""
        if count:
            self._next_when_spent = _WORDS
        return self._random_state().randint(0, 1 << 32, count, dtype=np.uint32)

    def random64(self, count: int) -> np.ndarray:
        """The next `count` draws of 64 bits, uint64: two draws of 32 bits each, the upper half first."""
        if count:
            self._next_when_spent = _WORDS
        return self._random_state().randint(0, 1 << 64, count, dtype=np.uint64)

    def get_state(self) -> np.ndarray:
        """The state as torch lays it out, uint8 of shape (5056,)."""
        _, words, position, *_ = self._random_state().get_state()
        state = np.zeros(1, _STATE)
        state["initial_seed"] = self.current_seed()
        state["seeded"] = 1
        state["words"] = words
        # torch counts down what is left and up what is next; NumPy has the position alone. Only where all
        # words are spent do they differ: next is then 624, but 0 in a generator just seeded.
        spent = position == _WORDS
        state["left"] = 1 if spent else _WORDS + 1 - position
        state["next"] = self._next_when_spent if spent else position
        if self.next_double_normal_sample is not None:
            state["normal_is_valid"], state["normal_y"] = 1, self.next_double_normal_sample
        if self._next_float_normal_sample is not None:
            state["float_normal_is_valid"], state["next_float_normal"] = True, self._next_float_normal_sample
        return state.view(np.uint8)

    def set_state(self, data: np.ndarray) -> None:
        """Take over a state from `get_state`, ours or torch's.

        Args:
            data: uint8 of shape (5056,).
        Raises:
            RuntimeError: not of that size, or no state that torch's generator can be in.
        """
        if data.size != STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE_BYTES} "
                f"but found the input RNG state size to be {data.size}"
            )
        state = np.ascontiguousarray(data).view(_STATE)[0]
        left, following = int(state["left"]), int(state["next"])
        spent = left == 1
        if not state["seeded"] or not 1 <= left <= _WORDS or not (spent or following == _WORDS + 1 - left):
            raise RuntimeError("Invalid mt19937 state")
        self._seed = int(state["initial_seed"])
        self._next_when_spent = following if spent else _WORDS
        self._twister = np.random.RandomState(0)
        self._twister.set_state(("MT19937", state["words"].astype(np.uint32), _WORDS if spent else following))
        self.next_double_normal_sample = float(state["normal_y"]) if state["normal_is_valid"] else None
        self._next_float_normal_sample = (
            float(state["next_float_normal"]) if state["float_normal_is_valid"] else None
        )

    def _random_state(self) -> Any:
        if self._twister is None:
            self._twister = np.random.RandomState(self.current_seed() & 0xFFFFFFFF)
        return self._twister


def non_deterministic_seed() -> int:
    """64 bits from the system's entropy."""
    return int.from_bytes(os.urandom(8), "little")


# What the samplers draw from when no generator is given.
default_generator_impl = CPUGeneratorImpl(None)
