"""The printed text of tensors equals that of torch, character by character."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import _tensor_str as torch_text

from reference_impl import _dtype
from reference_impl import _tensor_str as engine_text
from reference_impl._device import device

FLOATS = ("float32", "float64", "float16")
DTYPES = FLOATS + ("int64", "int32", "int16", "int8", "uint8", "bool")

special = st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf])
# Boundaries of the rules that choose a format: ratios of 1000 and 1e8, the minimum 1e-4, and digits that carry when rounded.
edges = st.sampled_from([1e8, 1e8 + 1, 999.99999, 1000.0, 1e-4, 9.9999e-5, 0.99995, 0.5, 2.5, 9.99995, 99999.5])
magnitudes = st.tuples(st.sampled_from([-1, 1]), st.floats(-6, 9)).map(lambda v: v[0] * 10 ** v[1])
kinds_of_floats = st.sampled_from(
    [
        st.integers(-5, 5).map(float), st.floats(-1, 1), magnitudes, special, edges,
        st.integers(-(10**12), 10**12).map(float), st.floats(),
        st.one_of(special, edges, magnitudes, st.integers(-9, 9).map(float)),
    ]
)  # fmt: skip
shapes = st.one_of(
    st.just(()),
    st.integers(0, 40).map(lambda n: (n,)),
    st.lists(st.sampled_from([0, 1, 2, 3, 4, 7, 8]), min_size=2, max_size=4).map(tuple),
).filter(lambda s: math.prod(s) <= 600)
options = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.sampled_from([0, 1, 2, 4, 6, 10]),
        "threshold": st.sampled_from([0, 5, 10, 100, 1000, math.inf]),
        "edgeitems": st.sampled_from([0, 1, 2, 3, 5]),
        "linewidth": st.sampled_from([1, 10, 40, 80, 120, 200]),
        "sci_mode": st.sampled_from([None, True, False]),
        "profile": st.sampled_from(["default", "short", "full", "unknown"]),
    },
)


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    """Restore the default print options and dtype after each test."""
    yield
    set_both(profile="default")
    torch.set_default_dtype(torch.float32)


def set_both(**printoptions: Any) -> None:
    """Set print options of both engines."""
    torch_text.set_printoptions(**printoptions)
    engine_text.set_printoptions(**printoptions)


@st.composite
def arrays(draw: Any, dtypes: tuple[str, ...] = DTYPES) -> np.ndarray:
    """Draw an array of one of `dtypes`. The first and last dimensions of the array may be swapped in memory."""
    dtype, shape = draw(st.sampled_from(dtypes)), draw(shapes)
    n = math.prod(shape)
    if dtype in FLOATS:
        element = draw(kinds_of_floats)
    elif dtype == "bool":
        element = st.booleans()
    else:
        info, bits = np.iinfo(dtype), draw(st.integers(0, 63))
        element = st.integers(max(info.min, -(1 << bits)), min(info.max, (1 << bits) - 1))
    # Repeat a few values: the formats of the values matter, not how many there are.
    pool = draw(st.lists(element, min_size=1, max_size=12))
    picks = np.random.RandomState(draw(st.integers(0, 999))).randint(0, len(pool), n)
    with np.errstate(over="ignore"):
        array = np.array([pool[i] for i in picks], np.float64 if dtype in FLOATS else dtype).astype(dtype)
    array = array.reshape(shape)
    return array.swapaxes(0, -1) if array.ndim > 1 and draw(st.booleans()) else array


@given(arrays(), options, st.sampled_from(FLOATS))
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_tensor_prints_as_torch_prints_it(array: np.ndarray, opts: dict[str, Any], default: str) -> None:
    set_both(profile="default")
    set_both(**opts)
    torch.set_default_dtype(getattr(torch, default))
    assert engine_text.array_repr(array, default_dtype=default) == repr(torch.from_numpy(array.copy()))
    assert engine_text.get_printoptions() == torch_text.get_printoptions()


@given(arrays(FLOATS), options, st.sampled_from(["leaf", "clone", "mul", "long name"]))
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
def test_grad_fn_and_requires_grad_print_as_in_torch(array: np.ndarray, opts: dict[str, Any], kind: str) -> None:
    set_both(profile="default")
    set_both(**opts)
    t = torch.from_numpy(array.copy()).requires_grad_()
    if kind == "clone":
        t = t.clone()
    elif kind == "mul":
        t = t * 1
    elif kind == "long name":
        t = AFunctionWithARatherLongNameThatWrapsSoonerThanOthers.apply(t)
    name = None if t.grad_fn is None else type(t.grad_fn).__name__
    assert engine_text.array_repr(array, grad_fn_name=name, requires_grad=True) == repr(t)


class AFunctionWithARatherLongNameThatWrapsSoonerThanOthers(torch.autograd.Function):
    """A Function whose node has a long name. The name may need a separate line."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        return grads[0]


@pytest.mark.parametrize(
    "shape", [(1000,), (1001,), (5000,), (7, 143), (6, 167), (10, 10, 11), (2, 2, 2, 126), (1001, 1)]
)
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_large_tensors_are_summarised_as_in_torch(shape: tuple[int, ...], dtype: str) -> None:
    values = np.random.RandomState(0).standard_normal(shape) * 3
    for array in (values.astype(dtype), (values * 1e5).astype(dtype)):
        assert engine_text.array_repr(array) == repr(torch.from_numpy(array))
        with engine_text.printoptions(profile="full"):
            torch_text.set_printoptions(profile="full")
            assert engine_text.array_repr(array) == repr(torch.from_numpy(array))
            torch_text.set_printoptions(profile="default")


@pytest.mark.parametrize(
    "values",
    [[1.5, 1500], [1.5, 1500.001], [1e8, 1.5e6], [1e8 + 1, 1.5e6], [1e-4, 5e-3], [9.9e-5, 5e-3], [1e-4], [1e8]],
)
def test_the_bounds_of_scientific_notation_are_torchs(values: list[float]) -> None:
    expected = repr(torch.tensor(values, dtype=torch.float64))
    assert engine_text.array_repr(np.array(values)) == expected


def test_omitted_values_do_not_affect_the_format_of_a_summary() -> None:
    array = np.ones(2000, np.float32)
    array[1000] = 1e-20
    assert engine_text.array_repr(array) == repr(torch.from_numpy(array)) == "tensor([1., 1., 1.,  ..., 1., 1., 1.])"


def test_printoptions_restores_the_options() -> None:
    before = engine_text.get_printoptions()
    with pytest.raises(ZeroDivisionError), engine_text.printoptions(precision=1, sci_mode=True):
        assert engine_text.array_repr(np.array(0.25, np.float32)) == "tensor(2.5e-01)"
        raise ZeroDivisionError
    assert engine_text.get_printoptions() == before


def test_setting_other_options_resets_sci_mode() -> None:
    set_both(sci_mode=True)
    set_both(precision=2)
    array = np.array([1.5, 2.25], np.float32)
    assert engine_text.array_repr(array) == repr(torch.from_numpy(array)) == "tensor([1.50, 2.25])"


class MyTensor(torch.Tensor):
    """A subclass of Tensor."""


class MyParameter(torch.nn.Parameter):
    """A subclass of Parameter."""


@pytest.mark.parametrize("cls", [torch.Tensor, torch.nn.Parameter, MyTensor, MyParameter])
def test_subclasses_print_as_in_torch(cls: type) -> None:
    array = np.random.RandomState(0).standard_normal((3, 30)).astype(np.float32)
    t = torch.from_numpy(array)
    expected = cls(t) if issubclass(cls, torch.nn.Parameter) else t.as_subclass(cls)  # type: ignore[type-var]
    actual = stand_in(cls, array, requires_grad=issubclass(cls, torch.nn.Parameter))
    header = "Parameter containing:\n" if issubclass(cls, torch.nn.Parameter) else ""
    assert header + engine_text.repr_of(actual) == repr(expected)


def stand_in(cls: type, array: np.ndarray, **attributes: Any) -> Any:
    """Return an object whose class has the name and bases of `cls`, with the attributes that `repr_of` reads."""
    bases = tuple(type(c.__name__, (), {}) for c in cls.__mro__[1:-1] if c is torch.nn.Parameter)
    fake = type(cls.__name__, bases, {"__module__": cls.__module__})()
    fake.__dict__.update({"_array": array, "grad_fn": None, "requires_grad": False, "device": device("cpu")})
    fake.__dict__.update(attributes)
    return fake


def test_a_device_other_than_the_cpu_is_printed() -> None:
    gpu_tensor = stand_in(torch.Tensor, np.ones(2, np.float32), device=device("cuda", 0), requires_grad=True)
    assert engine_text.repr_of(gpu_tensor) == "tensor([1., 1.], device='cuda:0', requires_grad=True)"


def test_an_invalid_grad_fn_is_printed_as_invalid() -> None:
    class WithInvalidNode(SimpleNamespace):
        @property
        def grad_fn(self) -> Any:
            raise RuntimeError("A view was created in no_grad mode and is being modified inplace")

    WithInvalidNode.__name__, WithInvalidNode.__module__ = "Tensor", "torch"
    tensor = WithInvalidNode(_array=np.ones(1, np.float32), requires_grad=True, device=device("cpu"))
    assert engine_text.repr_of(tensor) == "tensor([1.], grad_fn=<Invalid>)"


def test_the_default_dtype_is_not_printed() -> None:
    _dtype.set_default_dtype(_dtype.float64)
    try:
        t = stand_in(torch.Tensor, np.ones(1))
        assert engine_text.repr_of(t) == "tensor([1.])"
    finally:
        _dtype.set_default_dtype(_dtype.float32)
    assert engine_text.repr_of(t) == "tensor([1.], dtype=torch.float64)"
