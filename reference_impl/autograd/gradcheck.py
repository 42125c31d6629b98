"""`gradcheck`: compare the gradients that backward computes with quotients of small differences.

Column j of the numerical Jacobian is (f(x + ε eⱼ) - f(x - ε eⱼ)) / 2ε. Row i of the analytical Jacobian is the result of a backward
pass with the unit vector eᵢ. Both are stored transposed, (elements of the input, elements of the output), as torch prints them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.autograd.differentiation import grad
from reference_impl.autograd.function import Function
from reference_impl.core.modes import enable_grad
from reference_impl.core.operations.creation import zeros
from reference_impl.core.tensor import Tensor


class GradcheckError(RuntimeError):
    """The error that `gradcheck` and `gradgradcheck` raise if a check fails."""


GradcheckError.__module__ = "torch.autograd.gradcheck"

_NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, "
    "although analytical gradient matches numerical gradient.The tolerance for nondeterminism was {}."
)
_UNDEFINED = 'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Return whether the gradients of `func` at `inputs` agree with quotients of small differences.

    Args:
        func: function of tensors that returns a tensor or a tuple.
        inputs: a tensor or a tuple. The tensors that require grad are checked. They should be float64; other dtypes cause a warning.
        eps: number by which each element is increased and decreased, in place. Afterwards, the old value is restored.
        atol, rtol: a gradient a agrees with the quotient n if |a - n| <= atol + rtol · |n|.
        raise_exception: raise an error if a check fails; otherwise return False.
        nondet_tol: largest allowed difference between the gradients of two backward passes.
        check_undefined_grad: also check that backward treats the gradient None of an output like zeros.
        check_grad_dtypes: also check that each gradient has the dtype of its input.
        check_backward_ad: must be True, because the engine computes only gradients of the backward pass.
        fast_mode, masked: accepted and ignored.

    Raises:
        AssertionError: `check_backward_ad` is False.
        GradcheckError: the gradients disagree, or another check fails, and `raise_exception` is True.
        NotImplementedError: a check of forward-mode or batched gradients was requested.
        RuntimeError: an input has a dimension with stride 0.
        ValueError: no input requires grad.
    """
    if check_forward_ad or check_batched_grad or check_batched_forward_grad:
        raise NotImplementedError("forward-mode and batched gradients are out of the scope of reference_impl")
    if not check_backward_ad:
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if not raise_exception:
        try:
            return _check(func, inputs, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes)
        except GradcheckError:
            return False
    return _check(func, inputs, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes)


def _check(
    func: Any,
    inputs: Any,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    undefined: bool,
    dtypes: bool,
) -> bool:
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    _check_inputs(args)
    func_out = _tuple(func(*args))
    outputs = [o for o in func_out if isinstance(o, Tensor) and o.requires_grad]
    numerical = [_numerical(func, args, t, func_out, eps) for t in _inputs_to_check(args)]
    if not outputs:
        if any(bool((jacobian != 0).any()) for per_input in numerical for jacobian in per_input):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return True
    positions = [i for i, o in enumerate(func_out) if isinstance(o, Tensor) and o.requires_grad]
    for i, output in enumerate(outputs):
        for j, analytical in enumerate(_analytical(args, output, nondet_tol, dtypes)):
            expected = numerical[j][positions[i]]
            if not np.allclose(analytical, expected.astype(analytical.dtype), rtol=rtol, atol=atol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {i} with respect to input {j},\n"
                    f"numerical:{Tensor._wrap(expected)}\nanalytical:{Tensor._wrap(analytical)}\n"
                )
    _check_zero_in_zero_out(args, outputs)
    if undefined:
        _check_undefined(func, args)
    return True


def _check_inputs(args: tuple[Any, ...]) -> None:
    for index, t in enumerate(args):
        if not (isinstance(t, Tensor) and t.requires_grad):
            continue
        if t._array.dtype != np.float64:
            warnings.warn(
                f"Input #{index} requires gradient and is not a double precision floating point or complex. This check will "
                "likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=2,
            )
        if any(s == 0 and n > 1 for s, n in zip(t._array.strides, t._array.shape, strict=True)):
            raise RuntimeError(
                f"The {index}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to "
                "be able to compute the numerical gradients correctly. You should call .contiguous on the input before passing "
                "it to gradcheck."
            )
    if not _inputs_to_check(args):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )


def _numerical(func: Any, args: tuple[Any, ...], t: Tensor, outputs: tuple[Any, ...], eps: float) -> list[Any]:
    """Return for each output its Jacobian with respect to `t`, by finite differences, of shape (elements of t, elements of the output)."""
    like = t._array
    jacobians = [np.zeros_like(like, shape=(like.size, o.numel())) for o in outputs if isinstance(o, Tensor)]
    for row, index in enumerate(np.ndindex(*like.shape)):
        original = like[index].copy()
        like[index] = original - eps
        below = [o._array.copy() for o in _tuple(func(*args)) if isinstance(o, Tensor)]
        like[index] = original + eps
        above = [o._array for o in _tuple(func(*args)) if isinstance(o, Tensor)]
        for jacobian, up, down in zip(jacobians, above, below, strict=True):
            jacobian[row] = ((up.astype(like.dtype) - down.astype(like.dtype)) / (2 * eps)).reshape(-1)
        like[index] = original
    return jacobians


def _analytical(args: tuple[Any, ...], output: Tensor, nondet_tol: float, check_dtypes: bool) -> list[Any]:
    """Return for each checked input the Jacobian of `output`, by backward, of shape (elements of the input, elements of the output).

    Raises:
        GradcheckError: a gradient has a wrong shape or, with `check_dtypes`, a wrong dtype, or two passes differ by more than `nondet_tol`.
    """
    first, types_ok, sizes_ok = _backward_rows(args, output)
    second, _, _ = _backward_rows(args, output)
    if not types_ok and check_dtypes:
        raise GradcheckError("Gradient has dtype mismatch")
    if not sizes_ok:
        raise GradcheckError("Analytical gradient has incorrect size")
    if any(a.size and np.abs(a - b).max() > nondet_tol for a, b in zip(first, second, strict=True)):
        raise GradcheckError(_NOT_REENTRANT.format(nondet_tol))
    return first


def _backward_rows(args: tuple[Any, ...], output: Tensor) -> tuple[list[Any], bool, bool]:
    inputs = _inputs_to_check(args)
    with enable_grad():
        output = output.clone()
    jacobians = [np.zeros_like(t._array, shape=(t.numel(), output.numel())) for t in inputs]
    types_ok = sizes_ok = True
    for column, index in enumerate(np.ndindex(*output.shape)):
        unit = np.zeros_like(output._array, shape=output._array.shape)
        unit[index] = 1
        grads = grad(output, inputs, Tensor._wrap(unit), retain_graph=True, allow_unused=True)
        for jacobian, t, g in zip(jacobians, inputs, grads, strict=True):
            if g is None:
                continue
            sizes_ok = sizes_ok and g.shape == t.shape
            types_ok = types_ok and g.dtype == t.dtype
            jacobian[:, column] = g._array.reshape(-1)
    return jacobians, types_ok, sizes_ok


def _check_zero_in_zero_out(args: tuple[Any, ...], outputs: list[Tensor]) -> None:
    zeros = [Tensor._wrap(np.zeros_like(o._array)) for o in outputs]
    for g, t in zip(
        grad(outputs, _inputs_to_check(args), zeros, allow_unused=True), _inputs_to_check(args), strict=True
    ):
        if g is None:
            continue
        if bool((g._array != 0).any()):
            raise GradcheckError("backward not multiplied by grad_output")
        if g.dtype != t.dtype:
            raise GradcheckError("grad is incorrect type")
        if g.shape != t.shape:
            raise GradcheckError("grad is incorrect size")


def _check_undefined(func: Any, args: tuple[Any, ...]) -> None:
    """Raise GradcheckError unless backward treats the gradient None of an output like zeros."""

    class UndefinedGrad(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return None

    outputs = [UndefinedGrad.apply(o) for o in _tuple(func(*args)) if isinstance(o, Tensor) and o.requires_grad]
    zeros = [Tensor._wrap(np.zeros_like(o._array)) for o in outputs]
    try:
        grads = grad(outputs, _inputs_to_check(args), zeros, allow_unused=True)
    except RuntimeError as error:
        raise GradcheckError("Expected backward function to handle undefined output grads. " + _UNDEFINED) from error
    if any(g is not None and bool((g._array != 0).any()) for g in grads):
        raise GradcheckError(
            "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
            + _UNDEFINED
        )


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Return whether second derivatives are right: run `gradcheck` on the function that returns the gradients of `func`.

    Args:
        grad_outputs: for each output that requires grad a gradient; random numbers if None.
        gen_non_contig_grad_outputs, check_batched_grad, check_fwd_over_rev, check_rev_over_rev: accepted and ignored.

    For other arguments and errors see `gradcheck`.
    """
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    if grad_outputs is None:
        grad_outputs = tuple(_random_like(o) for o in _tuple(func(*args)) if isinstance(o, Tensor) and o.requires_grad)
    else:
        grad_outputs = _tuple(grad_outputs)
    n_outputs = len(grad_outputs)

    def gradients(*arguments: Any) -> Any:
        func_inputs, seeds = arguments[:-n_outputs], arguments[-n_outputs:]
        func_inputs = tuple(
            t.requires_grad_()
            if isinstance(t, Tensor) and t.is_leaf and t._array.dtype.kind == "f" and t.requires_grad
            else t
            for t in func_inputs
        )
        outputs = [o for o in _tuple(func(*func_inputs)) if isinstance(o, Tensor) and o.requires_grad]
        targets = [t for t in func_inputs if isinstance(t, Tensor) and t.requires_grad]
        with enable_grad():
            return tuple(
                g for g in grad(outputs, targets, seeds, create_graph=True, allow_unused=True) if g is not None
            )

    return gradcheck(
        gradients,
        args + grad_outputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
    )


def _random_like(t: Tensor) -> Tensor:
    """Return a tensor like `t` that requires grad, with the random numbers, uniform in [-1, 1), that torch would draw for the same seed."""
    sample: Any = zeros(tuple(t.shape), dtype=t.dtype)
    return sample.uniform_(-1, 1).to(t.device).requires_grad_()


def _inputs_to_check(args: tuple[Any, ...]) -> list[Tensor]:
    return [t for t in args if isinstance(t, Tensor) and t.requires_grad]


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)
