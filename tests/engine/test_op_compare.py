"""`op_compare.judge` detects errors: most tests break one property of `sin`, and the comparison of this property must fail."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

import reference_impl as engine
from tests.engine import op_compare
from tests.engine.make_tables import module, op
from tests.engine.make_tables.op import operations

SIN = operations("^sin$")[0][0]


def judge_with(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], inplace: Any = None
) -> op_compare.Verdict:
    """Compare `sin` with torch while `function` replaces it in the engine, and `inplace`, if given, replaces `sin_`."""
    monkeypatch.setattr(engine, "sin", function)
    monkeypatch.setattr(engine.Tensor, "sin", function)
    if inplace is not None:
        monkeypatch.setattr(engine.Tensor, "sin_", inplace)
    return op_compare.judge(SIN)


def test_the_correct_function_has_no_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge_with(monkeypatch, engine.sin).failures == {}


def test_wrong_values_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "forward" in judge_with(monkeypatch, engine.cos).failures


def test_a_wrong_dtype_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    sin = engine.sin
    verdict = judge_with(monkeypatch, lambda x: sin(x).to(engine.float64))
    assert "dtype torch.float64 instead of torch.float32" in str(verdict.failures["forward"])


def test_wrong_strides_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    sin = engine.sin
    assert (
        "layout" in judge_with(monkeypatch, lambda x: sin(x).t().contiguous().t() if x.ndim == 2 else sin(x)).failures
    )


def test_a_wrong_node_name_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    cos = engine.cos
    shift = 1.5707963267948966
    verdict = judge_with(monkeypatch, lambda x: cos(x - shift))
    assert "CosBackward0 instead of SinBackward0" in str(verdict.failures["grad_fn"])


def test_a_wrong_gradient_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    sin = engine.sin

    class SinBackward0(engine.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return sin(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    assert "gradient" in judge_with(monkeypatch, lambda x: SinBackward0.apply(x)).failures


def test_a_wrong_second_gradient_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    sin = engine.sin

    class SinBackward0(engine.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.x = x.detach()
            return sin(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.x.cos()  # ctx.x is detached, so that the second derivative is wrong

    verdict = judge_with(monkeypatch, lambda x: SinBackward0.apply(x))
    assert "second" in verdict.failures and "gradient" not in verdict.failures


def test_an_in_place_form_that_returns_another_tensor_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = judge_with(monkeypatch, engine.sin, inplace=lambda x: x.sin())
    assert "returned another tensor" in str(verdict.failures["in-place"])


def test_errors_are_compared() -> None:
    (clamp_min,) = operations("^clamp_min$")[0]
    verdict = op_compare.judge(clamp_min)
    assert verdict.total["errors"] > 0 and verdict.passed["errors"] == verdict.total["errors"]


def test_an_operation_that_the_engine_lacks_is_listed_as_absent() -> None:
    present, absent = operations("^(sin|fft.fft)$")
    assert [op.name for op in present] == ["sin"] and [op.name for op in absent] == ["fft.fft"]


@pytest.mark.parametrize(
    ("command", "pattern", "message"),
    [
        (op, "^fft.fft$", "the engine lacks fft.fft: declare it"),
        (op, "^logaddexpp$", "no operation of torch's op_db matches '^logaddexpp$'"),
        (module, "^nn.Bilinear$", "the engine lacks nn.Bilinear: define it"),
        (module, "^nn.Linnear$", "tests/engine/more_modules.py matches '^nn.Linnear$'"),
    ],
)
def test_a_selection_without_anything_to_compare_is_an_error(
    command: Any, pattern: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["make_tables", "--only", pattern])
    with pytest.raises(SystemExit, match="2"):
        command.main()
    assert message in capsys.readouterr().err


def test_an_error_in_the_module_of_an_operation_is_not_taken_for_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_and_fail(name: str) -> Any:
        return "".__code__  # type: ignore[attr-defined]

    package = types.ModuleType("engine")
    package.__getattr__ = import_and_fail  # type: ignore[method-assign]
    monkeypatch.setattr(op_compare, "engine", package)
    with pytest.raises(AttributeError, match="__code__"):
        op_compare.lookup("sin")
