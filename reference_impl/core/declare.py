"""Declare operations: a forward function with a formula for the gradient of each input.

    @operation("MulBackward0", "mul __mul__ __rmul__ mul_ __imul__", promotes=True,
               self=lambda g, other: g * other, other=lambda g, self: g * self)
    def mul(self, other):
        return self * other

The function computes an array from arrays. A keyword with the name of an argument holds the formula of the gradient of that argument.
In HIPS autograd, the same declaration has formulas that are functions of all values and return functions of `g`:

    defvjp(anp.multiply, lambda ans, x, y: lambda g: g * y, lambda ans, x, y: lambda g: g * x)

Here the first parameter of a formula is `g`, the gradient of the result. The names of its other parameters say which values it uses,
just as the parameters of a pytest test name its fixtures:

    an argument         `other`: a tensor, which is saved with its version, or another value, which becomes an attribute of the node
    `result`            the result of the operation (`ans` above), which is saved in the same way
    `self_sym_sizes`    the shape of the argument `self`; `self_sym_strides` and `self_sym_numel` are its strides and number of elements

A tensor is saved only if a needed formula uses it: if `x` needs no gradient, `x * w` does not save `w`.

The declaration above is equivalent to this code, written by hand:

    class MulBackward0(Node):
        uses = {"self": ("other",), "other": ("self",)}  # the formula of `self` uses `other`, that of `other` uses `self`
        saved_names = ("other", "self")  # the tensors that the formulas use, in the order of `saved`

        def grad_self(self, g):
            return g * self._saved_other

        def grad_other(self, g):
            return g * self._saved_self

    def mul(self, other):
        array = np.multiply(*operands(self, other))
        return record(MulBackward0, array, (self, other), (other, self))

Formulas consist of operations on tensors, so `create_graph` records them like any others. A formula may return a gradient in the
shape of the result: the backward pass sums it down to the shape of an input that was broadcast (`backward.unbroadcast`).

The second argument lists the names of the operation as a method of Tensor. A name that ends in `_` is the in-place form, and so is
`__imul__` if the list has `__mul__`. (`__invert__` is not an in-place form, because there is no `__nvert__`.)
"""

from collections.abc import Callable, Sequence
from functools import update_wrapper
from operator import attrgetter, itemgetter, methodcaller
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.arrays import strides_of
from reference_impl.core.extensions import add_members, extensions
from reference_impl.core.inplace import apply_inplace
from reference_impl.core.modes import mode, threads_not_recording
from reference_impl.core.node import Node
from reference_impl.core.record import record, record_many
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import record_view, record_views

PROPERTIES: dict[str, Callable[[Any], Any]] = {
    "sizes": attrgetter("shape"),
    "strides": strides_of,
    "numel": attrgetter("size"),
}
"""Functions that read a property of an argument from its array, by the name after `_sym_`."""

UNKNOWN_NAME = "{}: {} must be an argument of {}; a formula may also name `result`"
NOT_A_NUMBER = "{}(): argument '{}' must be Number, not Tensor"
NO_BROADCAST = "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"


def operation(
    node_name: str, names: str = "", *, promotes: bool = False, view: bool = False, without_gradient: Sequence[str] = (),
    **formulas: Any,
) -> Callable[[Any], Any]:  # fmt: skip
    """Return a decorator that turns a function of arrays into an operation on tensors. See the module's docstring.

    Args:
        node_name: class name of the operation's node, as torch prints it.
        names: names of the operation as a method of Tensor, separated by spaces.
        promotes: whether to convert the first two arguments, tensors or numbers, to their common dtype.
        view: whether the result shares the memory of the first argument.
        without_gradient: names of tensor arguments that have no gradient.
        formulas: for each input its name as the keyword and the formula of its gradient as the value.

    Raises:
        TypeError: a keyword is not an argument of the function, or a formula has a parameter that is not a known name.
    """

    def declare(forward: Callable[..., Any]) -> Any:
        node_class = make_node_class(node_name, forward, without_gradient, formulas)
        call = make_call(node_class, forward, promotes, view)
        call.node = node_class
        return publish(update_wrapper(call, forward), names)

    return declare


def parameters(function: Any) -> tuple[str, ...]:
    """Return the names of the positional parameters. (`inspect.signature` takes 200 times as long.)"""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


# -- the node


def make_node_class(name: str, forward: Any, without_gradient: Sequence[str], formulas: dict[str, Any]) -> type[Node]:
    """Create a class such as `MulBackward0` from the formulas of an operation.

    Class attributes, besides those of Node:
        declared_by, arguments: the forward function, and the names of its arguments.
        pick_inputs, pick_saved: functions that pick the inputs, and the values for `saved_names`, from the values of a call.
        plain_readers: the other names in `uses`, those of numbers, dimensions or shapes, which become attributes of the node. The dict
            maps each to the function that reads it from the values of a call.

    Raises:
        TypeError: a keyword is not an argument of `forward`, or a formula has a parameter that is not a known name.
    """
    arguments = parameters(forward)
    uses = {arg: parameters(formulas[arg])[1:] for arg in formulas if arg in arguments}  # all but `g`
    used_names = tuple(dict.fromkeys([n for names in uses.values() for n in names]))
    known_names = {"result", *arguments, *[f"{arg}_sym_{p}" for arg in arguments for p in PROPERTIES]}
    for n in {*formulas, *without_gradient} - set(arguments) | set(used_names) - known_names:
        raise TypeError(UNKNOWN_NAME.format(name, n, forward.__name__))
    tensors = {"result", *formulas, *without_gradient}
    saved_names = tuple([n for n in used_names if n in tensors])
    plain_readers = {n: reader(n, arguments) for n in used_names if n not in tensors}
    methods = {"grad_" + arg: as_method(formula, uses[arg], saved_names) for arg, formula in formulas.items()}
    members: dict[str, Any] = {
        "__module__": forward.__module__,
        "__doc__": forward.__doc__,
        "__annotations__": dict.fromkeys(plain_readers, Any),
        "namespace": "" if name[-1].isdigit() else "torch::autograd::",
        "declared_by": staticmethod(forward),
        "arguments": arguments,
        "uses": uses,
        "saved_names": saved_names,
        "plain_readers": plain_readers,
        "pick_inputs": picker(tuple(uses), arguments),
        "pick_saved": picker(saved_names, arguments),
    }
    return type(name, (Node,), members | methods)


def picker(names: Sequence[str], arguments: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that picks the values of `names`, as a tuple, from the values of a call: its arguments, then the result."""
    indices = [(*arguments, "result").index(n) for n in names]
    if len(indices) < 2:  # with a single index, itemgetter would return the bare value
        return itemgetter(slice(indices[0], indices[0] + 1) if indices else slice(0))
    return itemgetter(*indices)


def reader(name: str, arguments: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return a function that reads `name`, such as `dim` or `self_sym_sizes`, from the values of a call."""
    arg, _, prop = name.partition("_sym_")
    get = itemgetter(arguments.index(arg if prop in PROPERTIES else name))
    return (lambda values: PROPERTIES[prop](get(values)._array)) if prop in PROPERTIES else get


def as_method(formula: Any, names: Sequence[str], saved_names: Sequence[str]) -> Any:
    """Return a method `(node, g)` that calls `formula` with g and the values of `names`, which it reads from the node.

    It reads the tensor `other` as `node._saved_other`, which also checks that `other` was not changed in place.
    """
    if not names:
        return lambda node, g: formula(g)
    readers = [methodcaller("saved_value", saved_names.index(n)) if n in saved_names else attrgetter(n) for n in names]
    if len(readers) == 1:
        (read,) = readers
        return lambda node, g: formula(g, read(node))
    return lambda node, g: formula(g, *[read(node) for read in readers])


# -- the function that programs call


def make_call(node_class: Any, forward: Any, promotes: bool, view: bool) -> Any:
    """Return the function that programs call. It computes the operation with `forward` and records it as a `node_class`.

    For `def f(a, b, c=3, d=4)`, `min_args` is 2, `max_args` is 4, and the defaults are (3, 4). The call `f(1, 2, 5)` passes one argument
    more than `min_args`, so it uses the defaults from index 1 on: the arguments become (1, 2, 5) + (4,).
    """

    max_args, defaults = len(node_class.arguments), forward.__defaults__ or ()
    min_args = max_args - len(defaults)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not min_args <= len(args) <= max_args:
            args = bind_arguments(node_class, forward, args, kwargs)
        elif len(args) < max_args:
            args += defaults[len(args) - min_args :]
        values = extensions.operands(args[0], args[1]) + args[2:] if promotes else map(unwrap, args)
        result = forward(*values)
        if threads_not_recording and not mode.enabled and not view and result.__class__ is not tuple:
            return Tensor._wrap(result)
        return wrap_and_record(node_class, result, args, view)

    return call


def bind_arguments(node_class: Any, forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return the values of all arguments, with defaults, in the order of the signature. As in torch, the keyword for `self` is `input`.

    Raises:
        TypeError: an argument is missing, unknown or passed twice, or a keyword passes a tensor that requires grad or has dimensions for
            a number.
    """
    names = ["input" if name == "self" else name for name in node_class.arguments]
    values = dict(zip(reversed(names), reversed(forward.__defaults__ or ()), strict=False))
    values |= dict(zip(names, args, strict=False)) | kwargs
    for name in kwargs.keys() & node_class.plain_readers.keys():
        if isinstance(values[name], Tensor):  # converted to a number, so it must not need a gradient
            if values[name].requires_grad or values[name].ndim:
                raise TypeError(NOT_A_NUMBER.format(forward.__name__, name))
            values[name] = values[name].item()
    if len(args) > len(names) or values.keys() != set(names) or not kwargs.keys().isdisjoint(names[: len(args)]):
        raise TypeError(f"{forward.__name__}() must be called with the arguments ({', '.join(names)})")
    return tuple([values[name] for name in names])


def unwrap(a: Any) -> Any:
    """Return the array of a tensor, or a list of arrays for a list or tuple of tensors. Raise TypeError for an array; return other values."""
    if isinstance(a, Tensor):
        return a._array
    if isinstance(a, np.ndarray):
        raise TypeError("expected Tensor, but got numpy.ndarray")
    return [t._array for t in a] if a.__class__ in (list, tuple) and a and isinstance(a[0], Tensor) else a


def wrap_and_record(node_class: Any, result: Any, args: Sequence[Any], view: bool) -> Any:
    """Return `result`, an array or a tuple of arrays, in tensors (views if `view`). Record the node with the values that formulas use."""
    is_tuple, values = result.__class__ is tuple, (*args, RESULT)
    attributes = {name: read(values) for name, read in node_class.plain_readers.items()}
    if view:
        return (record_views if is_tuple else record_view)(node_class, result, args[0], **attributes)
    inputs, saved = node_class.pick_inputs(values), node_class.pick_saved(values)
    if inputs and inputs[0].__class__ in (list, tuple):  # the only argument is a list of tensors, which are the inputs
        (inputs,) = inputs
    return (record_many if is_tuple else record)(node_class, result, inputs, saved, **attributes)


def publish(call: Any, names: str) -> Any:
    """Add `call` to Tensor as a method under each of the space-separated `names`. Return `call`.

    A name such as `mul_` gets the in-place form, and also `__imul__` if `names` has `__mul__`.
    """
    for name in names.split():
        in_place = f"__{name[3:]}" in names if name.startswith("__i") else name.endswith("_") and name[:2] != "__"
        add_members(Tensor, **{name: in_place_form(call) if in_place else call})
    return call


def in_place_form(call: Any) -> Any:
    """Return the in-place form of an operation: a method that overwrites `self` with the result."""
    return lambda self, *args, **kwargs: apply_inplace(call, self, *args, **kwargs)


# -- dtypes


def operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two operands as arrays of one dtype, or a floating-point array and an unchanged number. (`ops.promotion` replaces this.)"""
    x, y = a._array if isinstance(a, Tensor) else a, b._array if isinstance(b, Tensor) else b
    if x.__class__ is y.__class__:
        if x.dtype is y.dtype and x.shape == y.shape:
            return (x, y) if x.ndim else (x[()], y[()])  # NumPy's scalars are faster than 0-d arrays
        check_broadcast(x.shape, y.shape)
    elif (x if isinstance(a, Tensor) else y).dtype.kind == "f":
        return x, y
    common = _dtype.result_type_of((x, y))
    return np.asarray(x, common), np.asarray(y, common)


def check_broadcast(a: Sequence[int], b: Sequence[int]) -> None:
    """Raise RuntimeError if the shapes `a` and `b` don't broadcast. The message names the rightmost dimension that differs."""
    for i in range(1, min(len(a), len(b)) + 1):
        if a[-i] != b[-i] and a[-i] != 1 and b[-i] != 1:
            raise RuntimeError(NO_BROADCAST.format(a[-i], b[-i], max(len(a), len(b)) - i))


def floating(x: Any) -> Any:
    """Return the array `x`; if it holds integers or booleans, convert it to the default dtype."""
    return x if x.dtype.kind == "f" else extensions.cast(x, _dtype.get_default_dtype().numpy)


def cast(x: Any, dtype: np.dtype) -> Any:
    """Return the array `x` converted to `dtype`. (`ops.promotion` replaces this function by one that also keeps the memory order.)"""
    return x.astype(dtype)


extensions.define(operands=operands, cast=cast)
