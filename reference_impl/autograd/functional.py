"""Compute Jacobians and Hessians, and their products with vectors, by backward passes.

A Jacobian J takes a pass for each element of the output. A product v J takes one pass. A product J v takes two: u J is linear in u, and the
gradient of u, for the gradient v of u J, is J v.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl.arguments.missing_names import absent
from reference_impl.autograd.differentiation import grad
from reference_impl.core.modes import enable_grad, is_grad_enabled, set_grad_enabled
from reference_impl.core.operations.shapes import stack
from reference_impl.core.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

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


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of `func`, whose result has one element, at `inputs`: a tensor of shape (*input.shape, *input.shape).

    If `inputs` is a tuple, return a tuple of tuples; entry [i][j] has the shape (*inputs[i].shape, *inputs[j].shape).

    Args:
        inputs: a tensor or a tuple of tensors, the arguments of `func`.
        create_graph: record the computation of the Hessian, to differentiate it.
        strict: raise an error if the result or its gradient doesn't depend on an input; otherwise this part of the Hessian is zeros.
        vectorize: accepted and ignored.
        outer_jacobian_strategy: "reverse-mode"; "forward-mode" raises NotImplementedError.

    Raises:
        AssertionError: the strategy is neither of the two.
        TypeError: `inputs`, or the result of `func`, is not a tensor or a tuple of tensors.
        RuntimeError: the result of `func` is not one tensor of one element, or `strict` is violated.
    """
    single, args = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def gradient(*own: Tensor) -> Tensors:
        rows: Tensors = jacobian(
            lambda *fresh: _scalar(func(*fresh), "hessian", strict).squeeze(), own, create_graph=True
        )
        _check_twice_differentiable(rows, strict)
        return rows

    rows = jacobian(gradient, args, create_graph, strict, vectorize, outer_jacobian_strategy)
    return rows[0][0] if single else rows


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
        vectors = _vectors(v, "vjp", outputs, single_out, create_graph)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        products = _grads_of(outputs, args, vectors, create_graph)
        products = _or_zeros(
            products, args, strict, create_graph, "The output of the user-provided function", "input {}"
        )
    return _results(outputs, single_out, create_graph), _results(products, single, create_graph)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the outputs of `func` at `inputs`, and the product of the Jacobian of `func` with `v`.

    The product is a tensor in the shape of the output or, if `func` returns a tuple, a tuple of such tensors.

    Args:
        v: for each input a tensor of its shape; may be left out for a single input of one element.
        create_graph: record the computation of the product, to differentiate it.
        strict: raise an error for an output that doesn't depend on an input; otherwise the product is zeros.

    Raises:
        TypeError: `inputs`, `v` or the result of `func` is not a tensor or a tuple of tensors.
        RuntimeError: `v` is missing or does not fit the inputs, or `strict` is violated.
    """
    with enable_grad():
        single, args = _as_tuple(inputs, "inputs", "jvp")
        args = _fresh(args, create_graph)
        vectors = _vectors(v, "jvp", args, single, create_graph)
        single_out, outputs = _outputs(func(*args), "jvp", strict)
        seeds = _zeros(outputs)
        grads = _grads_of(outputs, args, seeds, True)
        if strict:
            _check_recorded(grads, "The gradient with respect to input {} is independent of the inputs of the user-provided function. This "
                                   "is not allowed in strict mode.")  # fmt: skip
    products = _grads_of(grads, seeds, vectors, create_graph)
    products = _or_zeros(
        products, outputs, strict, create_graph, "The gradient with respect to the input",
        "entry {} in the grad_outputs when using the double backward trick to compute forward mode gradients",
    )  # fmt: skip
    return _results(outputs, single_out, create_graph), _results(products, single_out, create_graph)


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the result of `func` at `inputs`, and the product of `v` with its Hessian, in the shape of `inputs`.

    Args:
        func: a function that returns a tensor of one element.
        v: for each input a tensor of its shape; may be left out for a single input of one element.
        create_graph: record the computation of the product, to differentiate it.
        strict: raise an error if the result or its gradient doesn't depend on an input; otherwise the product is zeros.

    Raises:
        TypeError: `inputs`, `v` or the result of `func` is not a tensor or a tuple of tensors.
        RuntimeError: the result of `func` is not one tensor of one element, `v` is missing or does not fit the inputs, or `strict` is
            violated.
    """
    single, args, vectors, output, gradient = _gradient(func, inputs, v, create_graph, strict, "vhp")
    with set_grad_enabled(create_graph or is_grad_enabled()):
        products = _grads_of(gradient, args, vectors, create_graph)
        products = _or_zeros(
            products, args, strict, create_graph, "The jacobian of the user-provided function", "input {}", "hessian"
        )
    return _results((output,), True, create_graph), _results(products, single, create_graph)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the result of `func` at `inputs`, and the product of its Hessian with `v`, in the shape of `inputs`.

    Its arguments and errors are those of `vhp`. Where the Hessian is symmetric, `vhp` gives the same product with one pass less.
    """
    single, args, vectors, output, gradient = _gradient(func, inputs, v, create_graph, strict, "hvp")
    with enable_grad():
        seeds = _zeros(args)
        grads = _grads_of(gradient, args, seeds, True)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        products = _grads_of(grads, seeds, vectors, create_graph)
        products = _or_zeros(
            products, args, strict, create_graph, "The hessian of the user-provided function", "entry {} in the grad_jacobian", "hessian"
        )  # fmt: skip
    return _results((output,), True, create_graph), _results(products, single, create_graph)


def _gradient(
    func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool, strict: bool, name: str
) -> tuple[bool, Tensors, Tensors | None, Tensor, tuple[Tensor | None, ...]]:
    """Return what `vhp` and `hvp` begin with: whether there is one input, inputs, vectors, the result, and its recorded gradient."""
    with enable_grad():
        single, args = _as_tuple(inputs, "inputs", name)
        args = _fresh(args, create_graph)
        vectors = _vectors(v, name, args, single, create_graph)
        output = _scalar(func(*args), name, strict)
        gradient = _grads_of((output,), args, None, True)
        _check_twice_differentiable(gradient, strict)
    return single, args, vectors, output, gradient


def _scalar(value: Any, name: str, strict: bool) -> Tensor:
    """Return `value`, the result of the user's function, after checking that it is one tensor of one element."""
    single, outputs = _outputs(value, name, strict)
    if not single:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return outputs[0]


def _check_twice_differentiable(gradient: Sequence[Tensor | None], strict: bool) -> None:
    if strict:
        _check_recorded(
            gradient,
            "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} is independent "
            "of the input. This is not allowed in strict mode. You should ensure that your function is twice differentiable and that the "
            "jacobian depends on the inputs (this would be violated by a linear function for example).",
        )


def _check_recorded(grads: Sequence[Tensor | None], message: str) -> None:
    for index, g in enumerate(grads):
        if g is None:
            raise RuntimeError(
                f"The output of the user-provided function is independent of input {index}. This is not allowed in strict mode."
            )
        if not g.requires_grad:
            raise RuntimeError(message.format(index))


def _vectors(v: Any, name: str, like: Tensors, single: bool, create_graph: bool) -> Tensors | None:
    """Return `v` as a tuple of new tensors, which must have the shapes of `like`; None if it is left out.

    Raises:
        RuntimeError: a tensor is missing or has another shape.
    """
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            which = "user-provided function returns" if name == "vjp" else "input to the user-provided function is"
            raise RuntimeError(f"The vector v can only be None if the {which} a single Tensor with a single element.")
        return None
    _, vectors = _as_tuple(v, "v", name)
    vectors = tuple([t.view_as(t) if create_graph and t.requires_grad else t.detach() for t in vectors])
    if len(vectors) != len(like):
        if single:
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(vectors)}.")
    for index, (vector, t) in enumerate(zip(vectors, like, strict=True)):
        if vector.size() != t.size():
            start = f"Entry {index} in " if not single else ""
            raise RuntimeError(f"{start}v has invalid size: should be {t.size()} but got {vector.size()}.")
    return vectors


def _zeros(like: Tensors) -> Tensors:
    return tuple([Tensor._wrap(np.zeros_like(t._array)).requires_grad_() for t in like])


def _results(values: Sequence[Tensor], single: bool, create_graph: bool) -> Any:
    values = tuple(values if create_graph else [t.detach() for t in values])
    return values[0] if single else values


def _grads_of(
    outputs: Sequence[Tensor | None], inputs: Tensors, v: Any, create_graph: bool
) -> tuple[Tensor | None, ...]:
    """Return the gradients of `inputs`, from those outputs that require grad. `v` has a gradient per output, or is None for scalars."""
    vectors = (None,) * len(outputs) if v is None else v
    pairs = [(o, g) for o, g in zip(outputs, vectors, strict=True) if o is not None and o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    roots, seeds = zip(*pairs, strict=True)
    return grad(roots, inputs, seeds, allow_unused=True, create_graph=create_graph)


def _or_zeros(
    grads: Sequence[Tensor | None],
    like: Tensors,
    strict: bool,
    create_graph: bool,
    subject: str,
    entry: str,
    kind: str = "jacobian",
) -> Tensors:
    """Return `grads`, with zeros in place of None.

    Args:
        like: tensors of the shapes of `grads`.
        subject, entry: what is independent of what if a gradient is None, for the error.
        kind: "jacobian" or "hessian", for the error if a gradient is not recorded.

    Raises:
        RuntimeError: `strict`, and a gradient is None or, with `create_graph`, not recorded.
    """
    for index, g in enumerate(grads if strict else ()):
        if g is None:
            end = ""
            if "jacobian" in entry:
                end = " as it prevents from using the double backward trick to replace forward mode AD"
            raise RuntimeError(
                f"{subject} is independent of {entry.format(index)}. This is not allowed in strict mode{end}."
            )
        if create_graph and not g.requires_grad:
            raise RuntimeError(
                f"The {kind} of the user-provided function is independent of input {index}. This is not allowed in strict mode when "
                "create_graph=True."
            )
    return tuple([Tensor._wrap(np.zeros_like(t._array)) if g is None else g for g, t in zip(grads, like, strict=True)])


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
                    f"{number}. This is not allowed in strict mode when create_graph=True."  # as in torch: the number of the output
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
