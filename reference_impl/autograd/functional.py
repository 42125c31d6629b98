"""Jacobians, Hessians, and their products with vectors, by backward passes.

Forward products (`jvp`) use the double-backward trick: vᵀJ is linear in v, so differentiating it with respect to v, against u,
gives J u.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.autograd.differentiation import grad
from reference_impl.core.modes import enable_grad
from reference_impl.core.operations.shapes import stack
from reference_impl.core.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = tuple[Tensor, ...]
_INDEPENDENT_OUTPUT = (
    "The output of the user-provided function is independent of input {}. This is not allowed in strict mode."
)
_INDEPENDENT_JACOBIAN = (
    "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode when "
    "create_graph=True."
)


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(func(inputs), vᵀ J): `v` has the shape of the output, the product that of the inputs.

    Args:
        v: may be left out where the output is a single element.
        strict: raise where an output does not depend on an input, instead of giving zeros.
    """
    with enable_grad():
        single, args = _given(inputs, "inputs", "vjp")
        args = _fresh(args, create_graph)
        single_out, outputs = _outputs(func(*args), "vjp", strict)
        seeds = _vector(v, outputs, "vjp", single_out)
        grads = _grad(outputs, args, seeds, create_graph)
    results = _filled(grads, args, strict, create_graph)
    return _given_back(outputs, single_out, create_graph), _given_back(results, single, create_graph)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(func(inputs), J v): `v` has the shape of the inputs, the product that of the output."""
    with enable_grad():
        single, args = _given(inputs, "inputs", "jvp")
        vectors = _vector(v, args, "jvp", single)
        args = _fresh(args, create_graph)
        single_out, outputs = _outputs(func(*args), "jvp", strict)
        seeds = tuple(Tensor._wrap(np.zeros_like(o._array)).requires_grad_() for o in outputs)
        products = _filled(_grad(outputs, args, seeds, True), args, strict, True, fill_graph=True)
        results = _grad(products, seeds, vectors, create_graph)
        filled = _filled(results, outputs, strict, create_graph)
    return _given_back(outputs, single_out, create_graph), _given_back(filled, single_out, create_graph)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`: for one output and one input a tensor of shape (*output.shape, *input.shape); for tuples, a tuple
    per output of a tensor per input.

    Args:
        vectorize: accepted, and computed row by row all the same.
    """
    if strategy == "forward-mode":
        raise NotImplementedError("forward-mode differentiation is out of the scope of reference_impl")
    with enable_grad():
        single, args = _given(inputs, "inputs", "jacobian")
        args = _fresh(args, create_graph)
        single_out, outputs = _outputs(func(*args), "jacobian", strict)
        rows = tuple(_jacobian_of(index, o, args, strict, create_graph) for index, o in enumerate(outputs))
    if not create_graph:
        rows = tuple(tuple(j.detach() for j in row) for row in rows)
    per_output = tuple(row[0] if single else row for row in rows)
    return per_output[0] if single_out else per_output


def _jacobian_of(number: int, output: Tensor, args: Tensors, strict: bool, create_graph: bool) -> Tensors:
    """One row per element of `output`, stacked into its shape."""
    per_input: list[list[Tensor]] = [[] for _ in args]
    for position in range(output.numel()):
        element = output.reshape(-1)[position]
        grads = _grad((element,), args, (None,), create_graph, retain_graph=True)
        for index, (rows, g, t) in enumerate(zip(per_input, grads, args, strict=True)):
            if g is None and strict:
                raise RuntimeError(
                    f"Output {number} of the user-provided function is independent of input {index}. This is not allowed in "
                    "strict mode."
                )
            if g is not None and strict and create_graph and not g.requires_grad:
                raise RuntimeError(
                    "The jacobian of the user-provided function is independent of input "
                    f"{index}. This is not allowed in strict mode when create_graph=True."
                )
            rows.append(Tensor._wrap(np.zeros_like(t._array)) if g is None else g)
    shape = tuple(output.shape)
    return tuple(
        stack(rows, 0).reshape(shape + tuple(t.shape))
        if rows
        else Tensor._wrap(np.zeros_like(t._array, shape=shape + tuple(t.shape)))
        for rows, t in zip(per_input, args, strict=True)
    )


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with a single element: the Jacobian of its gradient, of shape (*input.shape, *input.shape)."""
    single, args = _given(inputs, "inputs", "hessian")

    def gradient(*own: Tensor) -> Any:
        _, outputs = _outputs(func(*own), "hessian", strict)
        _check_single_element(outputs, "hessian")
        result = _filled(_grad(outputs, own, (None,), True), own, strict, True, fill_graph=True)
        if strict:
            for index, g in enumerate(result):
                if not g.requires_grad:
                    raise RuntimeError(
                        "While computing the hessian, found that the jacobian of the user-provided function with respect to "
                        f"input {index} is independent of the input. This is not allowed in strict mode. You should ensure that "
                        "your function is twice differentiable and that the jacobian depends on the inputs (this would be "
                        "violated by a linear function for example)."
                    )
        return result

    rows = jacobian(gradient, args, create_graph=create_graph, strict=strict)
    return rows[0][0] if single else rows


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(func(inputs), vᵀ H)."""
    return _second_order(func, inputs, v, create_graph, strict, "vhp")


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(func(inputs), H v); H is symmetric, so the value is that of `vhp`."""
    return _second_order(func, inputs, v, create_graph, strict, "hvp")


def _second_order(func: Any, inputs: Any, v: Any, create_graph: bool, strict: bool, name: str) -> Any:
    with enable_grad():
        single, args = _given(inputs, "inputs", name)
        vectors = _vector(v, args, name, single)
        args = _fresh(args, create_graph)
        single_out, outputs = _outputs(func(*args), name, strict)
        _check_single_element(outputs, name)
        gradient = _filled(_grad(outputs, args, (None,), True), args, strict, True, fill_graph=True)
        products = _filled(_grad(gradient, args, vectors, create_graph), args, strict, create_graph)
    return _given_back(outputs, single_out, create_graph), _given_back(products, single, create_graph)


def _given(value: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """Whether a single tensor was given, and what was given as a tuple."""
    single = not isinstance(value, tuple)
    values = (value,) if single else value
    for index, t in enumerate(values):
        if not isinstance(t, Tensor):
            which = f"given {what}" if single else f"value at index {index}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the {which} has type {type(t)}."
            )
    return single, values


def _fresh(args: Tensors, create_graph: bool) -> Tensors:
    """New tensors on the same values, so that these inputs can be told from the same tensors used inside the function."""
    return tuple(t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_() for t in args)


def _outputs(value: Any, name: str, strict: bool) -> tuple[bool, Tensors]:
    single, outputs = _given(value, "outputs of the user-provided function", name)
    if strict:
        for index, o in enumerate(outputs):
            if not o.requires_grad:
                raise RuntimeError(
                    f"Output {index} of the user-provided function does not require gradients. The outputs must be computed in a "
                    "differentiable manner from the input when running in strict mode."
                )
    return single, outputs


def _vector(v: Any, like: Tensors, name: str, single: bool) -> tuple[Any, ...]:
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            what = "input to the user-provided function" if name in ("jvp", "vhp", "hvp") else "user-provided function"
            verb = "contains" if name in ("jvp", "vhp", "hvp") else "returns"
            raise RuntimeError(
                f"The vector v can only be None if the {what} {verb} a single Tensor with a single element."
            )
        return (Tensor._wrap(np.ones_like(like[0]._array)),)
    _, vectors = _given(v, "v", name)
    if len(vectors) != len(like):
        if single:
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(vectors)}.")
    for index, (a, b) in enumerate(zip(vectors, like, strict=True)):
        if a.shape != b.shape:
            entry = "" if single else f"Entry {index} in "
            raise RuntimeError(f"{entry}v has invalid size: should be {b.shape} but got {a.shape}.")
    return tuple(t.detach() if not t.requires_grad else t for t in vectors)


def _check_single_element(outputs: Tensors, name: str) -> None:
    if len(outputs) != 1 or outputs[0].numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")


def _grad(
    outputs: Tensors,
    inputs: Tensors,
    seeds: tuple[Any, ...],
    create_graph: bool,
    retain_graph: bool | None = None,
) -> tuple[Tensor | None, ...]:
    """`autograd.grad` of those outputs that require grad; None for every input where there is none."""
    pairs = [(o, s) for o, s in zip(outputs, seeds, strict=True) if o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    outs, grads = zip(*pairs, strict=True)
    return grad(outs, inputs, grads, retain_graph=retain_graph, create_graph=create_graph, allow_unused=True)


def _filled(
    grads: tuple[Any, ...], like: Tensors, strict: bool, create_graph: bool, *, fill_graph: bool = False
) -> Tensors:
    results = []
    for index, g in enumerate(grads):
        if g is None:
            if strict:
                raise RuntimeError(_INDEPENDENT_OUTPUT.format(index))
            g = Tensor._wrap(np.zeros_like(like[index]._array))
        elif strict and create_graph and not fill_graph and not g.requires_grad:
            raise RuntimeError(_INDEPENDENT_JACOBIAN.format(index))
        results.append(g)
    return tuple(results)


def _given_back(values: Tensors, single: bool, create_graph: bool) -> Any:
    values = values if create_graph else tuple(t.detach() for t in values)
    return values[0] if single else values
