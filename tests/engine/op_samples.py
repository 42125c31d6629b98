"""Which samples of torch's descriptions are judged: all, or a selection that takes every way through an operation.

Two samples are alike when they lead through the same lines: the same arguments are given, in the same kinds, with the same numbers of
dimensions and the same layout; sizes and numbers differ, but where they decide something: none, one or several elements; wide, square
or high; 0, 1 or 2, another or a negative number; finite or not. Of such the smallest is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import torch

from tests.engine.torch_bridge import tensors_in

MOST_ELEMENTS = 100_000  # of a sample in a selection
OTHER_DTYPES = 6  # samples in each dtype but the first, float64, in which gradients are judged most closely
Sample = TypeVar("Sample")
Choose = Callable[[Iterable[Any], torch.dtype], Iterable[Any]]  # which of the samples of one dtype are judged


def kind(value: Any, with_dtype: bool = True) -> Any:
    """What of an argument decides the way through an operation."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            return str(value.layout)
        sizes, strides = tuple(min(n, 2) for n in value.shape), value.stride()
        rows, columns = value.shape[-2:] if value.ndim > 1 else (0, 0)
        order = sorted(range(value.ndim), key=lambda d: -strides[d])
        form = sizes, (rows > columns) - (rows < columns), value.is_contiguous(), 0 in strides, order
        return (form, value.dtype, value.requires_grad) if with_dtype else form
    if isinstance(value, bool | str | None):
        return type(value).__name__, value
    if isinstance(value, int | float):
        return type(value).__name__, value if value in (0, 1, 2) else (value > 0, value - value == 0)
    if isinstance(value, slice):
        return "slice", *(kind(one) for one in (value.start, value.stop, value.step))
    if isinstance(value, list | tuple):
        return type(value).__name__, *(kind(one, with_dtype) for one in value)
    if isinstance(value, dict):
        return tuple((name, kind(one, with_dtype)) for name, one in sorted(value.items()))
    named = isinstance(value, torch.dtype | torch.device | torch.memory_format)
    return repr(value) if named else getattr(value, "__name__", type(value).__name__)


def values(sample: Any) -> Any:
    """The arguments of a sample of an operation, or of a module and its constructor."""
    if hasattr(sample, "constructor_input"):
        inputs = (sample.constructor_input, sample.forward_input)
        return [(one.args, one.kwargs) for one in inputs if one is not None]
    return [sample.input, sample.args, sample.kwargs]


def unlike(samples: Iterable[Sample]) -> list[Sample]:
    """The smallest of those that are alike, without the very large ones, in their order."""
    smallest: dict[str, tuple[int, int, Sample]] = {}
    for number, sample in enumerate(samples):
        given = values(sample)
        found = (sum(t.numel() for t in tensors_in(given)), number, sample)
        key = repr(kind(given))
        smallest[key] = min(found, smallest.get(key, found), key=lambda one: one[:2])
    chosen = [one for one in smallest.values() if one[0] <= MOST_ELEMENTS] or list(smallest.values())
    return [sample for _, _, sample in sorted(chosen, key=lambda one: one[1])]


def spread(samples: Sequence[Sample], most: int) -> list[Sample]:
    """At most so many, from the first on at even distances."""
    return [samples[i * len(samples) // most] for i in range(most)] if len(samples) > most else list(samples)


def every(samples: Iterable[Any], dtype: torch.dtype) -> Iterable[Any]:
    return samples


def selection() -> Choose:
    """Every way through in the dtype that is asked first; in others some, and the ways that no dtype before has shown."""
    seen: set[str] = set()

    def choose(samples: Iterable[Any], dtype: torch.dtype) -> list[Any]:
        found = unlike(samples)
        forms = [repr(kind(values(sample), with_dtype=False)) for sample in found]
        some = spread(range(len(found)), OTHER_DTYPES if seen else len(found))
        taken = [one for i, one in enumerate(found) if i in some or forms[i] not in seen]
        seen.update(forms)
        return taken

    return choose


def chosen_in(tier: str) -> Choose:
    """For one operation, dtype by dtype."""
    return every if tier == "full" else selection()


def first(samples: Iterable[Sample], most: int, tier: str) -> list[Sample]:
    """The first so many; where the tier is not `full`, two of them at most, which are not alike."""
    found = list(itertools.islice(samples, most))
    return found if tier == "full" else spread(unlike(found), 2)
