"""Choose which samples of OpInfos and ModuleInfos to compare: all, or a selection that covers every code path.

Two samples are alike if they presumably run the same lines of code: they have the same arguments, of the same types, numbers of
dimensions and layouts. Sizes and numbers are grouped: no, one or several elements; wide, square or high matrices; the numbers 0, 1, 2,
other positive or negative ones; finite or not. Of samples that are alike, the smallest is selected.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import torch

from tests.engine.torch_bridge import tensors_in

MOST_ELEMENTS = 100_000  # larger samples are selected only if there are no others
OTHER_DTYPES = 6  # number of samples of each dtype but the first, float64, in which gradients are compared most closely
Sample = TypeVar("Sample")
Choose = Callable[[Iterable[Any], torch.dtype], Iterable[Any]]  # chooses among the samples of a dtype


def form_of(value: Any, with_dtype: bool = True) -> Any:
    """Return the form of an argument: its properties that decide the code path of an operation."""
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
        return "slice", *(form_of(item) for item in (value.start, value.stop, value.step))
    if isinstance(value, list | tuple):
        return type(value).__name__, *(form_of(item, with_dtype) for item in value)
    if isinstance(value, dict):
        return tuple((name, form_of(item, with_dtype)) for name, item in sorted(value.items()))
    is_named = isinstance(value, torch.dtype | torch.device | torch.memory_format)
    return repr(value) if is_named else getattr(value, "__name__", type(value).__name__)


def arguments_of(sample: Any) -> Any:
    """Return the arguments of a sample of an operation, or of a module and its constructor."""
    if hasattr(sample, "constructor_input"):
        inputs = (sample.constructor_input, sample.forward_input)
        return [(input.args, input.kwargs) for input in inputs if input is not None]
    return [sample.input, sample.args, sample.kwargs]


def select_distinct(samples: Iterable[Sample]) -> list[Sample]:
    """Return, in order, the smallest sample of each group of alike samples. Omit very large samples, unless all are very large."""
    smallest: dict[str, tuple[int, int, Sample]] = {}
    for number, sample in enumerate(samples):
        arguments = arguments_of(sample)
        candidate = (sum(t.numel() for t in tensors_in(arguments)), number, sample)
        key = repr(form_of(arguments))
        smallest[key] = min(candidate, smallest.get(key, candidate), key=lambda sized: sized[:2])
    chosen = [sized for sized in smallest.values() if sized[0] <= MOST_ELEMENTS] or list(smallest.values())
    return [sample for _, _, sample in sorted(chosen, key=lambda sized: sized[1])]


def spread_evenly(samples: Sequence[Sample], limit: int) -> list[Sample]:
    """Return at most `limit` samples, at equal distances, beginning with the first."""
    return [samples[i * len(samples) // limit] for i in range(limit)] if len(samples) > limit else list(samples)


def choose_every(samples: Iterable[Any], dtype: torch.dtype) -> Iterable[Any]:
    """Choose all samples."""
    return samples


def selection() -> Choose:
    """Return a function that selects samples of one operation. Call it once per dtype.

    In the first call it selects all distinct samples; in later calls, a few samples and those with new forms.
    """
    seen: set[str] = set()

    def choose(samples: Iterable[Any], dtype: torch.dtype) -> list[Any]:
        distinct = select_distinct(samples)
        forms = [repr(form_of(arguments_of(sample), with_dtype=False)) for sample in distinct]
        spread_indexes = spread_evenly(range(len(distinct)), OTHER_DTYPES if seen else len(distinct))
        chosen = [sample for i, sample in enumerate(distinct) if i in spread_indexes or forms[i] not in seen]
        seen.update(forms)
        return chosen

    return choose


def choose_in_tier(tier: str) -> Choose:
    """Return a function that chooses samples of one operation or module: all samples in the tier "full", else a selection."""
    return choose_every if tier == "full" else selection()


def first_distinct(samples: Iterable[Sample], limit: int, tier: str) -> list[Sample]:
    """Return the first `limit` samples; without `--tier full`, only the first two of these that are not alike."""
    first_samples = list(itertools.islice(samples, limit))
    return first_samples if tier == "full" else spread_evenly(select_distinct(first_samples), 2)
