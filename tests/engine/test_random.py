"""Every sampler of random numbers draws the numbers of torch, and leaves its generator in the state of torch's generator.

The numbers are equal bit for bit where torch's kernels have a fused multiply-add, as on x86-64 with AVX2. On other processors torch
itself draws some numbers with other last digits, which the tests allow (see `last_bits.same_draws`). The states are always equal.
"""

from __future__ import annotations

import copy
import math
import pickle
import threading
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl import random as engine_random
from reference_impl._tensor import Tensor
from reference_impl.rng import distributions
from reference_impl.rng import permutation as permutations
from reference_impl.rng.generator import STATE_BYTES, CPUGeneratorImpl
from reference_impl.rng.normal_fill import fma32, fma64, libm
from tests.engine.last_bits import same_draws

pytestmark = pytest.mark.filterwarnings("ignore:.*is out of bounds.*:UserWarning")

FLOATS = ("float32", "float64", "float16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")
DTYPES = FLOATS + INTEGERS + ("bool",)
LARGEST = {
    "float32": 1 << 24, "float64": 1 << 53, "float16": 1 << 11,
    "int64": (1 << 63) - 1, "int32": (1 << 31) - 1,
    "int16": (1 << 15) - 1, "int8": 127, "uint8": 255, "bool": 1,
}  # fmt: skip

seeds = st.integers(0, (1 << 64) - 1)
shapes = st.one_of(
    st.lists(st.sampled_from([0, 1, 1, 2, 3, 5, 16, 33]), max_size=3).map(tuple),
    st.integers(1, 2000).map(lambda n: (n,)),
)


class GeneratorPair:
    """Generators of torch and of the engine with the same seed. `check` compares what they draw and their states."""

    def __init__(self, seed: int) -> None:
        self.torch = torch.Generator().manual_seed(seed)
        self.engine_generator = SimpleNamespace(impl=CPUGeneratorImpl(seed))

    def check(self, expected: torch.Tensor, actual: np.ndarray) -> None:
        """Assert that the drawn numbers are the same (`same_draws`), and that the states of both generators are equal."""
        assert same_draws(actual, expected.numpy()), f"{actual} instead of {expected}"
        assert np.array_equal(self.torch.get_state().numpy(), self.engine_generator.impl.get_state())


def empty_pair(data: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return a tensor and an array to fill, of the same layout, which Hypothesis draws: contiguous, permuted, or permuted with gaps."""
    layout = data.draw(st.sampled_from(["contiguous", "contiguous", "permuted", "with gaps"]))
    order = data.draw(st.permutations(range(len(shape))))
    step = 2 if layout == "with gaps" else 1
    array = np.zeros([step * n for n in shape], dtype)[tuple(slice(None, None, step) for _ in shape)]
    if layout != "contiguous":
        array = array.transpose(order)
    array = np.asarray(array)
    strides = [s // array.itemsize for s in array.strides]
    storage = torch.zeros(max(1, math.prod(step * n for n in shape)), dtype=getattr(torch, dtype))
    return storage.as_strided(array.shape, strides), array


# Each function below draws arguments from `data`, calls a sampler of both engines, and compares the numbers or the errors.


def uniform(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `uniform_` for random bounds."""
    t, a = empty_pair(data, data.draw(st.sampled_from(FLOATS)), data.draw(shapes))
    low, high = sorted(
        data.draw(st.sampled_from([(0, 1), (-0.3, 0.3), (2.7, 9.1)]) | st.tuples(*[st.floats(-50, 50)] * 2))
    )
    generators.check(
        t.uniform_(low, high, generator=generators.torch),
        distributions.uniform_(a, low, high, generators.engine_generator),
    )


def normal(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `normal_` for a random mean and deviation."""
    t, a = empty_pair(data, data.draw(st.sampled_from(FLOATS)), data.draw(shapes))
    mean = data.draw(st.sampled_from([0, 0, 1.5, -3.3, 100.0]) | st.floats(-10, 10))
    std = data.draw(st.sampled_from([1, 0.02, 0, 2.2]) | st.floats(0.001, 10))
    generators.check(
        t.normal_(mean, std, generator=generators.torch),
        distributions.normal_(a, mean, std, generators.engine_generator),
    )


def randint(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `random_` for random bounds."""
    dtype = data.draw(st.sampled_from(DTYPES))
    t, a = empty_pair(data, dtype, data.draw(shapes))
    largest = LARGEST[dtype] * (40 if dtype in ("float32", "float64") else 1)
    bounds = st.integers(0 if dtype in ("uint8", "bool") else -largest, largest)
    low, high = sorted([data.draw(bounds), data.draw(bounds)])
    if data.draw(st.booleans()):
        low = 0
    try:
        expected = t.random_(low, high, generator=generators.torch)
    except RuntimeError as error:
        with pytest.raises(RuntimeError) as raised:
            distributions.random_(a, low, high, generators.engine_generator)
        assert str(raised.value) == str(error)
        return
    generators.check(expected, distributions.random_(a, low, high, generators.engine_generator))


def random_without_upper_bound(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws, or the errors, of `random_` for its default upper bound, with and without a lower bound."""
    dtype = data.draw(st.sampled_from(DTYPES))
    t, a = empty_pair(data, dtype, data.draw(shapes))
    low = data.draw(st.sampled_from([None, 0, 1, -(1 << 63)]))
    arguments: Any = () if low is None else (low, None)
    try:
        expected = t.random_(*arguments, generator=generators.torch)
    except RuntimeError as error:
        with pytest.raises(RuntimeError) as raised:
            distributions.random_(a, low, None, generators.engine_generator)
        assert str(raised.value) == str(error)
        return
    generators.check(expected, distributions.random_(a, low, None, generators.engine_generator))


def bernoulli(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `bernoulli_` for a number as probability."""
    t, a = empty_pair(data, data.draw(st.sampled_from(DTYPES)), data.draw(shapes))
    p = data.draw(st.sampled_from([0, 1, 0.5]) | st.floats(0, 1))
    generators.check(
        t.bernoulli_(p, generator=generators.torch), distributions.bernoulli_(a, p, generators.engine_generator)
    )


def bernoulli_of_tensor(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `bernoulli_` for a tensor of probabilities. The tensor may be broadcast."""
    t, a = empty_pair(data, data.draw(st.sampled_from(DTYPES)), data.draw(shapes))
    p = np.random.RandomState(1).random_sample(a.shape).astype(data.draw(st.sampled_from(FLOATS)))
    p = np.asarray(p[:1] if p.ndim and len(p) and data.draw(st.booleans()) else p)
    if p.ndim and data.draw(st.booleans()):
        p = np.asfortranarray(p)
    expected = t.bernoulli_(torch.from_numpy(p), generator=generators.torch)
    generators.check(expected, distributions.bernoulli_(a, p, generators.engine_generator))


def exponential(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `exponential_` for one of several rates."""
    t, a = empty_pair(data, data.draw(st.sampled_from(FLOATS)), data.draw(shapes))
    rate = data.draw(st.sampled_from([1, 0.3, 7.7, math.inf]))
    generators.check(
        t.exponential_(rate, generator=generators.torch),
        distributions.exponential_(a, rate, generators.engine_generator),
    )


def normal_of_tensors(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `normal` for a tensor as mean, as deviation, or as both."""
    dtype, shape = data.draw(st.sampled_from(FLOATS)), data.draw(shapes)
    mean = np.asarray(np.random.RandomState(1).standard_normal(shape), dtype)
    std = np.asarray(np.random.RandomState(2).random_sample(shape), dtype)
    tensor_arguments = data.draw(st.sampled_from(["both", "mean", "std"]))
    args: tuple[Any, Any] = {"both": (mean, std), "mean": (mean, 0.7), "std": (1.3, std)}[tensor_arguments]
    torch_args = [torch.from_numpy(v) if isinstance(v, np.ndarray) else v for v in args]
    expected = torch.normal(*torch_args, generator=generators.torch)
    generators.check(expected, distributions.sample_normal(*args, shape, dtype, generators.engine_generator))


def randperm(data: Any, generators: GeneratorPair) -> None:
    """Compare the draws of `randperm` for one of several lengths."""
    n = data.draw(st.sampled_from([0, 1, 2, 3, 10, 623, 2000]))
    dtype = data.draw(st.sampled_from(["int64", "int32", "int16", "float32", "float64"]))
    expected = torch.randperm(n, dtype=getattr(torch, dtype), generator=generators.torch)
    generators.check(expected, permutations.sample_randperm(n, dtype, generators.engine_generator))


SAMPLERS: tuple[Callable[[Any, GeneratorPair], None], ...] = (
    uniform, normal, randint, random_without_upper_bound, bernoulli, bernoulli_of_tensor, exponential, normal_of_tensors, randperm,
)  # fmt: skip


@pytest.mark.parametrize("sampler", SAMPLERS, ids=lambda f: f.__name__)
@given(seeds, st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_one_call_draws_the_numbers_of_torch(
    sampler: Callable[[Any, GeneratorPair], None], seed: int, data: Any
) -> None:
    sampler(data, GeneratorPair(seed))


@given(seeds, st.data())
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
def test_sequences_of_calls_draw_the_numbers_of_torch(seed: int, data: Any) -> None:
    generators = GeneratorPair(seed)
    for sampler in data.draw(st.lists(st.sampled_from(SAMPLERS), min_size=2, max_size=10)):
        sampler(data, generators)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (1.3, 0.7), (-5.1, 0.01)])
def test_three_hundred_thousand_normal_numbers_are_those_of_torch(dtype: str, mean: float, std: float) -> None:
    generators = GeneratorPair(0)
    expected = torch.empty(300_001, dtype=getattr(torch, dtype)).normal_(mean, std, generator=generators.torch)
    generators.check(expected, distributions.normal_(np.empty(300_001, dtype), mean, std, generators.engine_generator))


def test_fused_multiply_add_is_rounded_once() -> None:
    """Compare with exact fractions, since NumPy rounds product and sum separately and Python 3.11 lacks an fma."""
    from fractions import Fraction

    rng = np.random.RandomState(0)
    cases: list[tuple[Any, Any]] = [(np.float64, fma64), (np.float32, fma32)]
    for real, fused in cases:
        a = rng.standard_normal(2000).astype(real)
        for scale_b, scale_c in [(1, 1), (1, 1e-9), (1e-9, 1), (3, 7)]:
            b, c = (real(scale * rng.standard_normal()) for scale in (scale_b, scale_c))
            actual = fused(a, b, c)
            for x, y in zip(a, actual, strict=True):
                exact = Fraction(float(x)) * Fraction(float(b)) + Fraction(float(c))
                neighbours = (np.nextafter(y, real(-np.inf)), np.nextafter(y, real(np.inf)))
                error = abs(Fraction(float(y)) - exact)
                assert all(error <= abs(Fraction(float(n)) - exact) for n in neighbours)


def test_fma32_is_right_where_rounding_to_float64_first_is_wrong() -> None:
    """Test sums a · b + c near the midpoint of two neighboring float32 numbers, which float64 would round to exactly this midpoint."""
    f32 = np.float32
    above = fma32(np.array([1 + 2**-12], f32), f32((1 - 2**-12 + 2**-24) * 2**-24), f32(1))
    assert above.tolist() == [1 + 2**-23]  # the exact value is 1 + 2^-24 + 2^-60
    odd = 1 + 2**-23
    below = fma32(np.array([1 + 2**-23], f32), f32((1 - 2**-23) * 2**-24), f32(odd))
    assert below.tolist() == [odd]  # the exact value is odd + 2^-24 - 2^-70


def test_fma64_is_right_where_rounding_twice_is_wrong() -> None:
    above = fma64(np.array([1 + 2.0**-26]), (1 - 2.0**-26 + 2.0**-52) * 2.0**-53, 1.0)
    assert above.tolist() == [1 + 2.0**-52]  # the exact value is 1 + 2^-53 + 2^-131
    odd = 1 + 2.0**-52
    below = fma64(np.array([1 + 2.0**-52]), (1 - 2.0**-52) * 2.0**-53, odd)
    assert below.tolist() == [odd]  # the exact value is odd + 2^-53 - 2^-157


def test_a_new_seed_discards_the_second_number_of_a_normal_pair() -> None:
    g = engine_random.Generator().manual_seed(1)
    expected = distributions.sample_randn((3,), "float32", g).tolist()
    assert distributions.sample_randn((3,), "float32", g.manual_seed(1)).tolist() == expected


@pytest.mark.parametrize(("left", "following"), [(0, 625), (625, 0), (-1, 5), (1, 700)])
def test_a_state_at_an_impossible_position_is_refused(left: int, following: int) -> None:
    state = torch.Generator().manual_seed(1).get_state()
    state[8:12] = torch.from_numpy(np.array([left], np.int32).view(np.uint8))
    state[16:24] = torch.from_numpy(np.array([following], np.uint64).view(np.uint8))
    with pytest.raises(RuntimeError, match="Invalid mt19937 state"):
        torch.Generator().set_state(state)
    with pytest.raises(RuntimeError, match="Invalid mt19937 state"):
        engine_random.Generator().set_state(Tensor._wrap(state.numpy()))


@pytest.mark.parametrize("seed", [0, 1, 42, 2**32, 2**40 + 7, 2**63, 2**64 - 1, -1, -5])
def test_seeds_give_the_state_of_torch(seed: int) -> None:
    g, h = torch.Generator().manual_seed(seed), engine_random.Generator().manual_seed(seed)
    assert g.initial_seed() == h.initial_seed()
    assert np.array_equal(g.get_state().numpy(), h.get_state().numpy())


@pytest.mark.parametrize("seed", [True, 1.7, "3", None, 2**64, -(2**63) - 1])
def test_an_invalid_seed_raises_the_error_of_torch(seed: Any) -> None:
    with pytest.raises(Exception) as expected:
        torch.Generator().manual_seed(seed)
    with pytest.raises(expected.type) as raised:
        engine_random.Generator().manual_seed(seed)
    assert str(raised.value) == str(expected.value)


def test_functions_of_the_module_use_the_default_generator() -> None:
    assert engine_random.manual_seed("3") is engine_random.default_generator
    torch.manual_seed(3)
    assert engine_random.initial_seed() == torch.initial_seed() == 3
    expected = torch.randn(5), torch.rand(3)
    assert distributions.sample_randn((5,), "float32").tolist() == expected[0].tolist()
    assert distributions.sample_rand((3,), "float32").tolist() == expected[1].tolist()
    assert engine_random.seed() == engine_random.initial_seed() != 3


def test_a_generator_without_a_seed_has_the_initial_seed_of_torch() -> None:
    assert engine_random.Generator().initial_seed() == torch.Generator().initial_seed()


def test_states_are_exchanged_with_torch() -> None:
    torch.manual_seed(5)
    torch.randn(7)  # normal numbers are drawn in pairs, so that one of a pair is left over
    torch.rand(1000)
    engine_random.set_rng_state(Tensor._wrap(torch.get_rng_state().numpy()))
    assert distributions.sample_randn((3,), "float64").tolist() == torch.randn(3, dtype=torch.float64).tolist()
    distributions.sample_randint(0, 10, (77,))
    torch.set_rng_state(torch.from_numpy(engine_random.get_rng_state().numpy()))
    assert same_draws(distributions.sample_randn((33,), "float32"), torch.randn(33).numpy())


@pytest.mark.parametrize("draws", [0, 1, 622, 623, 624, 625, 1248])
def test_the_state_contains_the_position_in_the_block(draws: int) -> None:
    generators = GeneratorPair(9)
    generators.check(
        torch.rand(draws, generator=generators.torch),
        distributions.sample_rand((draws,), "float32", generators.engine_generator),
    )


@pytest.mark.parametrize(
    "state",
    [
        np.zeros(3, np.uint8), np.zeros(STATE_BYTES, np.uint8), np.zeros(STATE_BYTES, np.float32),
        np.full(STATE_BYTES, 255, np.uint8),
    ],
    ids=["short", "zeros", "float32", "ones"],
)  # fmt: skip
def test_a_damaged_state_is_refused_and_changes_nothing(state: np.ndarray) -> None:
    g = engine_random.Generator().manual_seed(1)
    before = g.get_state().numpy().copy()
    with pytest.raises((RuntimeError, TypeError)) as expected:
        torch.Generator().set_state(torch.from_numpy(state))
    with pytest.raises(expected.type) as raised:
        g.set_state(Tensor._wrap(state))
    assert str(raised.value) == str(expected.value)
    assert np.array_equal(g.get_state().numpy(), before)


def test_a_state_must_be_a_tensor() -> None:
    with pytest.raises(TypeError, match="expected a torch.ByteTensor, but got list"):
        engine_random.Generator().set_state([1])  # type: ignore[arg-type]


def test_a_copy_draws_the_same_numbers() -> None:
    g = engine_random.Generator().manual_seed(1)
    distributions.sample_randn((3,), "float32", g)
    copies = [copy.deepcopy(g), pickle.loads(pickle.dumps(g))]
    expected = distributions.sample_randn((20,), "float32", g).tolist()
    assert all(distributions.sample_randn((20,), "float32", c).tolist() == expected for c in copies)
    assert all(c.initial_seed() == 1 for c in copies)


def test_fork_rng_restores_the_state() -> None:
    engine_random.manual_seed(0)
    with engine_random.fork_rng():
        inside = distributions.sample_rand((3,), "float32").tolist()
    assert distributions.sample_rand((3,), "float32").tolist() == inside
    with engine_random.fork_rng(enabled=False):
        distributions.sample_rand((3,), "float32")
    torch.manual_seed(0)
    torch.rand(6)
    assert np.array_equal(engine_random.get_rng_state().numpy(), torch.get_rng_state().numpy())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("shape", "count", "replacement"),
    [
        *[(shape, count, True) for shape in ((5,), (3, 7), (1, 1), (1000,)) for count in (1, 50)],
        *[((5,), 1, False), ((5,), 5, False), ((3, 7), 4, False), ((1, 1), 1, False), ((1000,), 200, False)],
    ],
)
def test_multinomial_draws_torchs_indices(dtype: str, shape: tuple[int, ...], count: int, replacement: bool) -> None:
    weights = np.random.default_rng(3).random(shape).astype(dtype)
    for seed in range(5):
        generators = GeneratorPair(seed)
        expected = torch.multinomial(torch.from_numpy(weights), count, replacement, generator=generators.torch)
        generators.check(
            expected, distributions.sample_multinomial(weights, count, replacement, generators.engine_generator)
        )


@pytest.mark.parametrize("span", [(1 << 28) - 1, 1 << 28, (1 << 28) + 1, 1 << 32, (1 << 63) - 1])
def test_a_wide_range_of_integers_uses_64_random_bits(span: int) -> None:
    generators = GeneratorPair(4)
    expected = torch.randint(0, span, (50,), generator=generators.torch)
    generators.check(expected, distributions.sample_randint(0, span, (50,), generator=generators.engine_generator))


def test_a_generator_for_a_gpu_is_out_of_scope() -> None:
    with pytest.raises(RuntimeError, match="only the generator of the CPU"):
        engine_random.Generator("cuda")


def test_threads_that_share_a_generator_draw_different_numbers() -> None:
    g = engine_random.Generator().manual_seed(0)
    draws_by_thread: list[list[np.ndarray]] = [[] for _ in range(4)]

    def draw(thread_draws: list[np.ndarray]) -> None:
        for _ in range(200):
            thread_draws.append(distributions.sample_rand((37,), "float64", g))

    threads = [threading.Thread(target=draw, args=(thread_draws,)) for thread_draws in draws_by_thread]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    draws = np.concatenate([a for thread_draws in draws_by_thread for a in thread_draws])
    expected = torch.rand(draws.size, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert np.array_equal(np.sort(draws), np.sort(expected.numpy()))


def test_libm_returns_the_values_of_the_c_library() -> None:
    x = np.random.RandomState(0).random_sample(1000)
    assert libm(math.log, x).tolist() == [math.log(v) for v in x.tolist()]


# (name, call on torch, call on the engine) with arguments that torch refuses.
REFUSED: tuple[tuple[str, Callable[[], Any], Callable[[], Any]], ...] = tuple(
    (f"{name}{args} {dtype}", call_torch, call_engine)
    for name, args, dtype in [
        ("normal_", (0, -1), "float32"), ("normal_", (0, 1), "int64"), ("uniform_", (1, 0), "float32"),
        ("uniform_", (0.1, -1e20), "float32"), ("uniform_", (0, 1e39), "float32"),
        ("uniform_", (-3e38, 3e38), "float32"), ("uniform_", (-1e308, 1e308), "float64"),
        ("uniform_", (math.nan, 0), "float32"), ("uniform_", (0, 1), "int64"),
        ("exponential_", (-1,), "float32"), ("exponential_", (1,), "int32"), ("random_", (5, 3), "int64"),
        ("random_", (0, 257), "uint8"),
        ("random_", (-1, 3), "uint8"), ("random_", (0, 3), "bool"), ("random_", (0, 2**40), "int16"),
        ("random_", (-(2**62), 2), "float16"), ("bernoulli_", (2,), "float32"),
        ("bernoulli_", (-0.1,), "int8"), ]
    for call_torch in [lambda n=name, a=args, d=dtype: getattr(torch.empty(3, dtype=getattr(torch, d)), n)(*a)]
    for call_engine in [lambda n=name, a=args, d=dtype: getattr(distributions, n)(np.empty(3, d), *a)]
) + tuple(
    (
        f"randperm{n, dtype}",
        lambda n=n, d=dtype: torch.randperm(n, dtype=getattr(torch, d)),
        lambda n=n, d=dtype: permutations.sample_randperm(n, d),
    )
    for n, dtype in [(-1, "int64"), (300, "uint8"), (300, "int8"), (3000, "float16"), (3, "bool")]
)  # fmt: skip


@pytest.mark.parametrize(("call_torch", "call_engine"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_invalid_arguments_raise_the_error_of_torch(
    call_torch: Callable[[], Any], call_engine: Callable[[], Any]
) -> None:
    with pytest.raises(Exception) as expected:
        call_torch()
    with pytest.raises(expected.type) as raised:
        call_engine()
    assert str(raised.value) == str(expected.value)


def test_a_range_that_the_dtype_cannot_represent_raises_a_warning() -> None:
    warnings.simplefilter("always")
    with pytest.warns(UserWarning) as expected:
        torch.empty(3).random_(0, 2**25)
    with pytest.warns(UserWarning) as actual:
        distributions.random_(np.empty(3, np.float32), 0, 2**25)
    assert str(expected[0].message).startswith(str(actual[0].message))


def test_a_permutation_longer_than_the_engine_supports_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="out of the scope"):
        permutations.sample_randperm(1 << 28)
