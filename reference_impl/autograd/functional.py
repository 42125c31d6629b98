"""Compute Jacobians by backward passes, one for each element of the output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.arguments.missing_names import absent
from reference_impl.autograd.differentiation import grad
from reference_impl.core.modes import enable_grad, is_grad_enabled, set_grad_enabled
from reference_impl.core.operations.shapes import stack
from reference_impl.core.tensor import Tensor

__all__ = ["jacobian", "vjp"]

Tensors = tuple[Tensor, ...]


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of `func` at `inputs`: a tensor of shape (*output.shape, *input.shape).

    If `func` returns a tuple, return a tuple with a Jacobian for each output. If `inputs` is a tuple, each Jacobian is a tuple with a
    tensor for each input.

    Args:
        inputs: a tensor or a tuple of tensors, the arguments of `func`.
        create_graph: record the computation of the Jacobian, to differentiate it.
        strict: raise an error for an output that doesn't depend on an input; otherwise its Jacobian is zeros.
        vectorize: accepted and ignored: each row takes a backward pass.
        strategy: "reverse-mode"; "forward-mode" raises NotImplementedError.

    Raises:
        AssertionError: `strategy` is neither of the two.
        TypeError: `inputs`, or the result of `func`, is not a tensor or a tuple of tensors.
        RuntimeError: `strict` is violated, or an output is empty.
    """
    if strategy == "forward-mode":
        raise NotImplementedError("forward-mode differentiation is out of the scope of reference_impl")
    if strategy != "reverse-mode":
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than inputs, '
            '"forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    with enable_grad():
        single, args = _as_tuple(inputs, "inputs", "jacobian")
        args = _fresh(args, create_graph)
        single_out, outputs = _outputs(func(*args), "jacobian", strict)
        rows = tuple(_jacobian_of(index, o, args, strict, create_graph) for index, o in enumerate(outputs))
    if not create_graph:
        rows = tuple(tuple(j.detach() for j in row) for row in rows)
    per_output = tuple(row[0] if single else row for row in rows)
    return per_output[0] if single_out else per_output


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the outputs of `func` at `inputs`, and the product of `v` with the Jacobian of `func`.

    The product is a tensor in the shape of `inputs` or, if `inputs` is a tuple, a tuple of such tensors.

    Args:
        v: for each output a tensor of its shape; may be left out for a single output of one element.
        create_graph: record the computation of the product, to differentiate it.
        strict: raise an error for an output that doesn't depend on an input; otherwise the product is zeros.

    Raises:
        TypeError: `inputs`, `v` or the result of `func` is not a tensor or a tuple of tensors.
        RuntimeError: `v` is missing or does not fit the outputs, or `strict` is violated.
    """
    with enable_grad():
        single, args = _as_tuple(inputs, "inputs", "vjp")
        args = _fresh(args, create_graph)
        single_out, outputs = _outputs(func(*args), "vjp", strict)
        if v is not None:
            _, v = _as_tuple(v, "v", "vjp")
            v = tuple([t.view_as(t) if create_graph and t.requires_grad else t.detach() for t in v])
            _check_vectors(v, outputs, single_out)
        elif len(outputs) != 1 or outputs[0].numel() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = _grads_of(outputs, args, v, create_graph)
        products = tuple(
            [_or_zeros(*pair, index, strict, create_graph) for index, pair in enumerate(zip(grads, args, strict=True))]
        )
    if not create_graph:
        outputs, products = tuple([t.detach() for t in outputs]), tuple([t.detach() for t in products])
    return outputs[0] if single_out else outputs, products[0] if single else products


def _check_vectors(v: Tensors, outputs: Tensors, single_out: bool) -> None:
    if len(v) != len(outputs):
        if single_out:
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(outputs)} but got {len(v)}.")
    for index, (vector, output) in enumerate(zip(v, outputs, strict=True)):
        if vector.size() != output.size():
            start = f"Entry {index} in " if not single_out else ""
            raise RuntimeError(f"{start}v has invalid size: should be {output.size()} but got {vector.size()}.")


def _grads_of(outputs: Tensors, inputs: Tensors, v: Any, create_graph: bool) -> tuple[Tensor | None, ...]:
    """Return the gradients of `inputs`, from those outputs that require grad. `v` has a gradient per output, or is None for scalars."""
    vectors = (None,) * len(outputs) if v is None else v
    pairs = [(o, g) for o, g in zip(outputs, vectors, strict=True) if o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    roots, seeds = zip(*pairs, strict=True)
    return grad(roots, inputs, seeds, allow_unused=True, create_graph=create_graph)


def _or_zeros(g: Tensor | None, t: Tensor, index: int, strict: bool, create_graph: bool) -> Tensor:
    if g is None:
        if strict:
            raise RuntimeError(
                f"The output of the user-provided function is independent of input {index}. This is not allowed in strict mode."
            )
        return Tensor._wrap(np.zeros_like(t._array))
    if strict and create_graph and not g.requires_grad:
        raise RuntimeError(
            f"The jacobian of the user-provided function is independent of input {index}. This is not allowed in strict mode when "
            "create_graph=True."
        )
    return g


def _jacobian_of(number: int, output: Tensor, args: Tensors, strict: bool, create_graph: bool) -> Tensors:
    """Return for each of `args` the Jacobian of `output`, of shape (*output.shape, *arg.shape). `number` is the index of the output.

    Raises:
        RuntimeError: `output` is empty. Or `strict` is True, and `output` or, with `create_graph`, its Jacobian does not depend on an
            argument.
    """
    per_input: list[list[Tensor]] = [[] for _ in args]
    for position in range(output.numel()):
        element = output.reshape(-1)[position]
        grads = _grad(element, args, create_graph)
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
    if not output.numel():
        raise RuntimeError("stack expects a non-empty TensorList")  # as torch for an empty output
    return tuple(stack(r, 0).reshape(shape + tuple(t.shape)) for r, t in zip(per_input, args, strict=True))


def _as_tuple(value: Any, argument: str, name: str) -> tuple[bool, Tensors]:
    """Return whether `value` is a single tensor instead of a tuple, and `value` as a tuple.

    Raises:
        TypeError: an entry is not a tensor; the message contains `argument` and `name`, the name of the function.
    """
    single = not isinstance(value, tuple)
    values = (value,) if single else value
    for index, t in enumerate(values):
        if not isinstance(t, Tensor):
            label = f"given {argument}" if single else f"value at index {index}"
            raise TypeError(
                f"The {argument} given to {name} must be either a Tensor or a tuple of Tensors but the {label} has type {type(t)}."
            )
    return single, values


def _fresh(args: Tensors, create_graph: bool) -> Tensors:
    """Return a new tensor for each of `args`, on the same memory. So gradients do not include other uses of these tensors in `func`."""
    return tuple(t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_() for t in args)


def _outputs(value: Any, name: str, strict: bool) -> tuple[bool, Tensors]:
    single, outputs = _as_tuple(value, "outputs of the user-provided function", name)
    if strict:
        for index, o in enumerate(outputs):
            if not o.requires_grad:
                raise RuntimeError(
                    f"Output {index} of the user-provided function does not require gradients. The outputs must be computed in a "
                    "differentiable manner from the input when running in strict mode."
                )
    return single, outputs


def _grad(output: Tensor, inputs: Tensors, create_graph: bool) -> tuple[Tensor | None, ...]:
    """Return the gradient of the scalar `output` for each input, None if `output` does not depend on the input. Retain the graph."""
    if not output.requires_grad:
        return (None,) * len(inputs)
    return grad(output, inputs, retain_graph=True, create_graph=create_graph, allow_unused=True)


def __getattr__(name: str) -> Any:
    raise absent("torch.autograd.functional", name)
