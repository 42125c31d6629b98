"""Each module of torch's module_db and `more_modules` agrees with torch (`module_compare`). `--tier full` compares every sample."""

from __future__ import annotations

from typing import Any

import pytest

import reference_impl as engine
from tests.engine.make_tables.module import absent_classes, failures_of, modules
from tests.engine.module_compare import judge
from tests.engine.op_samples import choose_in_tier

PRESENT, ABSENT = modules()


def failures(info: Any, tier: str) -> str:
    """Compare a module and return the failures as text; an empty string if there are none."""
    verdict = judge(info, choose=choose_in_tier(tier))
    counts = {k: f"{verdict.passed[k]}/{n}" for k, n in verdict.total.items()}
    return failures_of({"module": verdict.name, "failures": verdict.failures, **counts})


@pytest.mark.parametrize("info", PRESENT, ids=lambda info: info.name)
def test_a_module_agrees_with_torch(info: Any, tier: str) -> None:
    assert not failures(info, tier)


def test_a_module_that_only_torch_has_raises_an_error_that_says_so() -> None:
    assert {f"nn.{name}" for name in absent_classes()} >= set(ABSENT)
    for name in absent_classes():
        with pytest.raises(
            AttributeError, match=rf"^PyTorch has torch\.nn\.{name}; reference_impl, which runs here, does not$"
        ):
            getattr(engine.nn, name)


def test_every_layer_of_the_engine_is_compared() -> None:
    """Exclude containers, parameters, base classes and lazy layers: they have no samples of inputs, and other tests use them."""
    names = {name for name in engine.nn.__all__ if isinstance(getattr(engine.nn, name), type)}
    others = {"Buffer", "DataParallel", "LazyLinear", "Module", "ModuleDict", "ModuleList", "Sequential"}
    others |= {
        "Parameter",
        "ParameterDict",
        "ParameterList",
        "RNNBase",
        "RNNCellBase",
        "UninitializedBuffer",
        "UninitializedParameter",
    }
    others |= {f"LazyBatchNorm{n}d" for n in (1, 2, 3)}
    compared_names = {info.name.removeprefix("nn.") for info in PRESENT}
    assert names - compared_names - others == set(), "add their samples to tests/engine/more_modules.py"


def find_module(name: str) -> Any:
    """Return the ModuleInfo with a name such as `nn.Linear`."""
    return next(info for info in PRESENT if info.name == name)


def test_the_comparison_detects_a_wrong_value(monkeypatch: pytest.MonkeyPatch) -> None:
    original = engine.nn.Softplus.forward
    monkeypatch.setattr(engine.nn.Softplus, "forward", lambda self, input: original(self, input) * (1 + 1e-4))
    assert "forward 0/" in failures(find_module("nn.Softplus"), "full")


def test_the_comparison_detects_another_initial_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.nn.init, "uniform_", lambda t, a, b, generator=None: t.data.zero_())
    assert "has other initial values" in failures(find_module("nn.Linear"), "full")


def test_the_comparison_detects_another_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.nn.Linear, "extra_repr", lambda self: "")
    assert "text 0/3" in failures(find_module("nn.Linear"), "full")
