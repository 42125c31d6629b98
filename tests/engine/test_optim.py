"""Optimizers agree with torch in 100 steps of each configuration in torch's `optim_db`, and so do learning-rate schedules."""

from __future__ import annotations

import copy
import inspect
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from tests.engine.last_bits import TORCH_ROUNDS_ONCE, same_text
from tests.engine.make_tables.optim import CONFIGURATIONS, Run, exact_roots, run
from tests.engine.two_engines import outcome_of

LIBRARIES = (torch, engine)


@pytest.mark.parametrize("name", sorted(CONFIGURATIONS))
def test_hundred_steps_have_the_bits_of_torch(name: str) -> None:
    """Compare bit for bit. torch computes exact square roots here: those of MKL are not always the nearest float32.

    If torch's kernels have no fused multiply-add, they round twice in each step. Then losses may differ by 5e-6 and parameters by 1e-5,
    relatively, and printed parameters in their last digit.
    """
    for options in CONFIGURATIONS[name]:
        with exact_roots():
            expected = run(torch, name, options)
        actual = run(engine, name, options)
        assert actual.defaults == expected.defaults, options
        assert actual.state == expected.state, options
        assert actual.repr == expected.repr, options
        if TORCH_ROUNDS_ONCE:
            assert actual.losses == expected.losses, options
            assert actual.printed == expected.printed, options
        else:
            np.testing.assert_allclose(actual.losses, expected.losses, rtol=5e-6, err_msg=str(options))
            assert all(map(same_text, actual.printed, expected.printed)), options
        for a, b in zip(expected.params, actual.params, strict=True):
            np.testing.assert_allclose(b, a, rtol=0 if TORCH_ROUNDS_ONCE else 1e-5, atol=0, err_msg=str(options))


@pytest.mark.parametrize("name", sorted(CONFIGURATIONS))
def test_losses_nearly_agree_if_torch_uses_its_own_square_roots(name: str) -> None:
    for options in CONFIGURATIONS[name]:
        expected, actual = run(torch, name, options), run(engine, name, options)
        np.testing.assert_allclose(actual.losses, expected.losses, rtol=5e-6, err_msg=str(options))


@pytest.mark.parametrize("name", sorted(CONFIGURATIONS))
def test_arguments_and_order_of_options_are_those_of_torch(name: str) -> None:
    expected, actual = [
        {p.name: (p.kind, p.default) for p in inspect.signature(getattr(library.optim, name)).parameters.values()}
        for library in LIBRARIES
    ]
    assert actual == expected
    torch_defaults, engine_defaults = [
        getattr(library.optim, name)([library.ones(1, requires_grad=True)]).defaults for library in LIBRARIES
    ]
    assert list(engine_defaults) == list(torch_defaults)


@pytest.mark.parametrize("name", ["Rprop", "LBFGS", "SparseAdam", "swa_utils"])
def test_an_optimizer_that_only_torch_has_raises_an_error_that_says_so(name: str) -> None:
    with pytest.raises(
        AttributeError, match=rf"^PyTorch has torch\.optim\.{name}; reference_impl, which runs here, does not$"
    ):
        operator.attrgetter(name)(engine.optim)


def test_a_group_must_set_a_required_option() -> None:
    for library in LIBRARIES:
        module = sys.modules[f"{library.__name__}.optim.optimizer"]

        class Needs(module.Optimizer):  # type: ignore[name-defined]
            def __init__(self, params: Any, lr: Any = module.required) -> None:
                super().__init__(params, {"lr": lr})

        p = library.ones(2, requires_grad=True)
        assert repr(module.required) == "<required parameter>"
        assert Needs([{"params": [p], "lr": 0.2}]).param_groups[0]["lr"] == 0.2
        with pytest.raises(
            ValueError, match="^parameter group didn't specify a value of required optimization parameter lr$"
        ):
            Needs([p])


INVALID: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": -0.5}), ("SGD", {"lr": 1e-2, "momentum": -0.5}), ("SGD", {"nesterov": True}),
    ("Adam", {"betas": (1.0, 0.0)}), ("Adam", {"eps": -1}), ("AdamW", {"weight_decay": -1}),
    ("ASGD", {"weight_decay": -0.5}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), INVALID)
def test_invalid_options_raise_the_error_of_torch(name: str, options: dict[str, Any]) -> None:
    outcomes = [
        outcome_of(
            lambda library=library: getattr(library.optim, name)([library.ones(2, requires_grad=True)], **options)
        )
        for library in LIBRARIES
    ]
    assert outcomes[0][1] is not None
    assert outcomes[0][1] == outcomes[1][1]


@pytest.mark.parametrize("name", sorted(CONFIGURATIONS))
def test_a_loaded_optimizer_continues_with_the_same_bits(name: str) -> None:
    options = CONFIGURATIONS[name][0]
    whole = run(engine, name, options, steps=20)
    first = run(engine, name, options, steps=10)
    second = run(engine, name, options, steps=10, after=first)
    for a, b in zip(whole.params, second.params, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_learning_rate_can_be_a_tensor() -> None:
    for name in CONFIGURATIONS:
        expected, actual = [run(library, name, {"lr": 0.02}, tensor_lr=True, steps=5) for library in LIBRARIES]
        assert all(map(same_text, actual.printed, expected.printed)), name


# -- schedules

Schedule = Callable[[Any, Any], Any]
"""A function of the module `lr_scheduler` of either library and the optimizer, which returns the schedule."""

SCHEDULES: dict[str, Schedule] = {
    "LambdaLR": lambda s, o: s.LambdaLR(o, lambda epoch: 0.95**epoch),
    "LambdaLR per group": lambda s, o: s.LambdaLR(o, [lambda e: 0.9**e, lambda e: 1 / (e + 1)]),
    "StepLR": lambda s, o: s.StepLR(o, 4, 0.5),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [3, 3, 9], 0.3),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "ConstantLR": lambda s, o: s.ConstantLR(o, 0.4, 6),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, 7, 1.5),
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, [lambda e: 0.9, lambda e: 1 / (e + 1)]),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 4), s.ExponentialLR(o, 0.8)], o),
    "LinearLR": lambda s, o: s.LinearLR(o, 0.1, 0.8, total_iters=7),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 5, eta_min=0.001),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, T_mult=2),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, 0.3, total_steps=25),
    "OneCycleLR in three phases": lambda s, o: s.OneCycleLR(o, [0.3, 0.2], epochs=5, steps_per_epoch=6, anneal_strategy="linear", three_phase=True, cycle_momentum=False),
    "CyclicLR": lambda s, o: s.CyclicLR(o, 0.01, 0.3, step_size_up=3),
    "CyclicLR by half": lambda s, o: s.CyclicLR(o, [0.01, 0.02], [0.3, 0.2], 2, 4, mode="triangular2", base_momentum=[0.5, 0.6]),
    "CyclicLR by a factor": lambda s, o: s.CyclicLR(o, 0.01, 0.3, 2, mode="exp_range", gamma=0.9, cycle_momentum=False),
    "CyclicLR by a function": lambda s, o: s.CyclicLR(o, 0.01, 0.3, 2, scale_fn=lambda step: 0.9**step, scale_mode="iterations"),
    "SequentialLR": lambda s, o: s.SequentialLR(o, [s.LinearLR(o, 0.1, total_iters=4), s.CosineAnnealingLR(o, 6), s.StepLR(o, 2), s.MultiStepLR(o, [1, 3]), s.ExponentialLR(o, 0.8)], [4, 10, 14, 18]),
}  # fmt: skip


def optimizer_of(library: Any, name: str = "SGD") -> Any:
    """Return an optimizer with two groups of parameters. The first group has a separate learning rate."""
    groups = [
        {"params": [library.ones(2, requires_grad=True)], "lr": 0.1},
        {"params": [library.ones(3, requires_grad=True)]},
    ]
    return getattr(library.optim, name)(groups, **({"momentum": 0.9} if name == "SGD" else {}))


def schedule_state(scheduler: Any, optimizer: Any) -> Any:
    """Return the options of each group, and the learning rates that the schedule reports."""
    return [{k: v for k, v in g.items() if k != "params"} for g in optimizer.param_groups], scheduler.get_last_lr()


@pytest.mark.parametrize("optimizer_name", ["SGD", "AdamW"])
@pytest.mark.parametrize("name", sorted(SCHEDULES))
def test_a_schedule_sets_the_options_of_torch(name: str, optimizer_name: str) -> None:
    histories = []
    for library in LIBRARIES:
        optimizer = optimizer_of(library, optimizer_name)
        scheduler = SCHEDULES[name](library.optim.lr_scheduler, optimizer)
        history = [schedule_state(scheduler, optimizer)]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(24):
                optimizer.step()
                scheduler.step()
                history.append(schedule_state(scheduler, optimizer))
        state = scheduler.state_dict()
        plain = {k: v for k, v in state.items() if k not in ("_scale_fn_ref", "lr_lambdas")}
        histories.append((history, repr(plain), sorted(state), [str(w.message) for w in caught]))
    expected, actual = histories
    assert actual == expected


@pytest.mark.parametrize("name", sorted(SCHEDULES))
def test_a_loaded_schedule_continues_as_the_saved_one(name: str) -> None:
    optimizer = optimizer_of(engine)
    scheduler = SCHEDULES[name](engine.optim.lr_scheduler, optimizer)
    for _ in range(7):
        optimizer.step()
        scheduler.step()
    other = optimizer_of(engine)
    resumed = SCHEDULES[name](engine.optim.lr_scheduler, other)
    other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    resumed.load_state_dict(copy.deepcopy(scheduler.state_dict()))
    for _ in range(7):
        for o, s in ((optimizer, scheduler), (other, resumed)):
            o.step()
            s.step()
        assert schedule_state(resumed, other) == schedule_state(scheduler, optimizer)


METRICS = [
    5.0,
    4.0,
    4.0,
    4.0,
    4.1,
    3.9,
    3.9,
    3.9,
    3.9,
    3.9,
    3.8999,
    2.0,
    2.0,
    2.0,
    2.0,
    2.0,
    2.5,
    float("nan"),
    3.0,
    3.0,
]


@pytest.mark.parametrize(
    "options",
    [
        {"patience": 2},
        {"mode": "max", "patience": 1, "factor": 0.5, "cooldown": 2, "min_lr": 0.01},
        {"patience": 0, "threshold": 0.2, "threshold_mode": "abs", "min_lr": [0.02, 0], "eps": 1e-3},
        {"mode": "max", "patience": 0, "threshold": 0.5, "threshold_mode": "abs"},
    ],
)
def test_reduce_on_plateau_reacts_to_metrics_as_torch(options: dict[str, Any]) -> None:
    histories = []
    for library in LIBRARIES:
        optimizer = optimizer_of(library)
        scheduler = library.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **options)
        history = [schedule_state(scheduler, optimizer)]
        for metric in METRICS:
            scheduler.step(library.tensor(metric))
            history.append((schedule_state(scheduler, optimizer), repr(scheduler.state_dict()), scheduler.in_cooldown))
        resumed = library.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        resumed.load_state_dict(scheduler.state_dict())
        resumed.step(9.0)
        histories.append((history, schedule_state(resumed, optimizer)))
    assert histories[0] == histories[1]


@pytest.mark.parametrize("name", sorted(set(SCHEDULES) - {"ChainedScheduler", "SequentialLR"}))
def test_a_step_to_a_given_epoch_sets_the_options_of_torch(name: str) -> None:
    outcomes = []
    for library in LIBRARIES:
        optimizer = optimizer_of(library)
        scheduler = SCHEDULES[name](library.optim.lr_scheduler, optimizer)
        optimizer.step()
        history = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for epoch in (3, 0, 7, 8, 2):
                scheduler.step(epoch)
                history.append((schedule_state(scheduler, optimizer), scheduler.last_epoch))
        outcomes.append((history, [str(w.message) for w in caught]))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("name", ["ChainedScheduler", "ConstantLR", "MultiplicativeLR", "PolynomialLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "LinearLR", "OneCycleLR", "ReduceLROnPlateau", "SequentialLR"])  # fmt: skip
def test_arguments_of_a_schedule_are_those_of_torch(name: str) -> None:
    expected, actual = [
        {
            p.name: (p.kind, p.default)
            for p in inspect.signature(getattr(library.optim.lr_scheduler, name)).parameters.values()
        }
        for library in LIBRARIES
    ]
    assert actual == expected


def misuses() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield (name, function) for wrong uses of schedules, of which torch warns or for which it raises an error.

    The function takes torch or the engine as its argument.
    """

    def scheduler_steps_first(library: Any) -> None:
        scheduler = library.optim.lr_scheduler.StepLR(optimizer_of(library), 1)
        scheduler.step()

    def replaced_step(library: Any) -> None:
        optimizer = optimizer_of(library)
        scheduler = library.optim.lr_scheduler.StepLR(optimizer, 1)
        optimizer.step = lambda: None
        scheduler.step()

    def get_lr(library: Any) -> list[Any]:
        return library.optim.lr_scheduler.ExponentialLR(optimizer_of(library), 0.5).get_lr()

    def too_many_steps(library: Any) -> None:
        optimizer = optimizer_of(library)
        scheduler = library.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=2)
        for _ in range(3):
            optimizer.step()
            scheduler.step()

    def added_group(library: Any) -> None:
        optimizer = optimizer_of(library)
        scheduler = library.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=[0, 0])
        optimizer.add_param_group({"params": [library.ones(1, requires_grad=True)]})
        scheduler.step(1)
        scheduler.step(2)

    def negative_epoch(library: Any) -> None:
        library.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer_of(library), 2).step(-1)

    def without_momentum(library: Any) -> None:
        library.optim.lr_scheduler.OneCycleLR(library.optim.Adagrad([library.ones(1, requires_grad=True)]), 0.1, 2)

    programs = (
        scheduler_steps_first,
        replaced_step,
        get_lr,
        too_many_steps,
        added_group,
        negative_epoch,
        without_momentum,
    )
    yield from ((f.__name__, f) for f in programs)
    constructors: dict[str, Callable[[Any, Any], Any]] = {
        "no optimizer": lambda s, o: s.StepLR(3, 1),
        "resumed without initial_lr": lambda s, o: s.StepLR(o, 1, last_epoch=3),
        "too few lambdas": lambda s, o: s.LambdaLR(o, [abs]),
        "start_factor": lambda s, o: s.LinearLR(o, 0),
        "end_factor": lambda s, o: s.LinearLR(o, end_factor=2),
        "T_0": lambda s, o: s.CosineAnnealingWarmRestarts(o, 0),
        "T_mult": lambda s, o: s.CosineAnnealingWarmRestarts(o, 1, 1.5),
        "eta_min": lambda s, o: s.CosineAnnealingWarmRestarts(o, 1, eta_min="a"),
        "plateau without optimizer": lambda s, o: s.ReduceLROnPlateau(3),
        "factor": lambda s, o: s.ReduceLROnPlateau(o, factor=1),
        "min_lr": lambda s, o: s.ReduceLROnPlateau(o, min_lr=[1]),
        "mode": lambda s, o: s.ReduceLROnPlateau(o, "least"),
        "threshold_mode": lambda s, o: s.ReduceLROnPlateau(o, threshold_mode="part"),
        "one cycle without optimizer": lambda s, o: s.OneCycleLR(3, 1),
        "no steps": lambda s, o: s.OneCycleLR(o, 1, epochs=2),
        "total_steps": lambda s, o: s.OneCycleLR(o, 1, 0),
        "epochs": lambda s, o: s.OneCycleLR(o, 1, epochs=2.5, steps_per_epoch=1),
        "steps_per_epoch": lambda s, o: s.OneCycleLR(o, 1, epochs=2, steps_per_epoch=0),
        "pct_start": lambda s, o: s.OneCycleLR(o, 1, 5, pct_start=1),
        "pct_start above 1": lambda s, o: s.OneCycleLR(o, 1, 5, pct_start=1.5),
        "anneal_strategy": lambda s, o: s.OneCycleLR(o, 1, 5, anneal_strategy="sin"),
        "max_lr": lambda s, o: s.OneCycleLR(o, [1], 5),
        "cycle without optimizer": lambda s, o: s.CyclicLR(3, 0.1, 1),
        "mode of a cycle": lambda s, o: s.CyclicLR(o, 0.1, 1, mode="square"),
        "base_lr": lambda s, o: s.CyclicLR(o, [0.1], 1),
        "momentum of a cycle": lambda s, o: s.CyclicLR(o, 0.1, 1, max_momentum=[1]),
        "constant factor": lambda s, o: s.ConstantLR(o, 2),
        "no function": lambda s, o: s.MultiplicativeLR(o, [3, 4]),
        "too few functions": lambda s, o: s.MultiplicativeLR(o, [abs]),
        "nothing to chain": lambda s, o: s.ChainedScheduler([]),
        "a plateau to chain": lambda s, o: s.ChainedScheduler([s.ReduceLROnPlateau(o)]),
        "a number to chain": lambda s, o: s.ChainedScheduler([3], o),
        "no schedule": lambda s, o: s.SequentialLR(o, [], []),
        "no schedule in the list": lambda s, o: s.SequentialLR(o, [3], []),
        "a plateau in the list": lambda s, o: s.SequentialLR(o, [s.ReduceLROnPlateau(o)], []),
        "too few milestones": lambda s, o: s.SequentialLR(o, [s.StepLR(o, 1), s.StepLR(o, 2)], []),
    }
    for name, make in constructors.items():
        yield name, lambda library, make=make: make(library.optim.lr_scheduler, optimizer_of(library)) and None


@pytest.mark.parametrize(("name", "program"), [pytest.param(n, p, id=n) for n, p in misuses()])
def test_wrong_uses_raise_the_errors_and_warnings_of_torch(name: str, program: Callable[[Any], Any]) -> None:
    outcomes = []
    for library in LIBRARIES:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                outcome: Any = program(library)
            except Exception as error:
                outcome = f"{type(error).__name__}: {error}"
        outcomes.append((outcome, [(w.category.__name__, str(w.message), w.filename == __file__) for w in caught]))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0] != (None, [])


def test_a_wrong_learning_rate_is_detected() -> None:
    """Check that a learning rate that is 1 % too large changes the printed parameters."""
    expected: Run = run(torch, "Adam", {"lr": 1e-2})
    assert run(engine, "Adam", {"lr": 1.01e-2}).printed != expected.printed
