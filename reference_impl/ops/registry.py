"""Register operations: `torch.name(...)`, `Tensor.name(...)`, `Tensor.name_(...)` and the `out=` argument.

The decorator `@op("function", "method", "inplace", "out")` lists the forms in which torch offers a function, as `variants:` does in
torch's native_functions.yaml.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Callable
from ctypes import ArgumentError
from typing import Any, TypeVar

import numpy as np

from reference_impl._dtype import number_dtype, python_number, result_type_of
from reference_impl._tensor import Tensor
from reference_impl.arguments import parser
from reference_impl.arguments.kinds import (
    INTEGERS,
    Classes,
    are_usual,
    are_usual_keywords,
    as_number,
    usual_classes,
    with_integers,
)
from reference_impl.core.extensions import add_members
from reference_impl.core.inplace import apply_inplace, check_writable
from reference_impl.ops.out_argument import (
    APART,
    check_elementwise,
    check_no_gradient,
    create_into,
    is_elementwise,
    write_out,
)
from reference_impl.ops.overlap import apply_apart
from reference_impl.ops.promotion import check_one_device

F = TypeVar("F", bound=Callable[..., Any])


functions: dict[str, Callable[..., Any]] = {}
"""The functions of `torch` by name, such as `torch.exp`."""

# Functions and methods that torch writes in Python (torch/functional.py). They do not accept NumPy's names for arguments.
_PYTHON_FUNCTIONS = frozenset(("einsum", "split", "meshgrid", "norm", "tensordot", "unique"))
_PYTHON_METHODS = frozenset(("split", "norm", "unflatten", "unique", "unique_consecutive", "stft", "istft"))

# Operations whose sizes may also be separate arguments, as in `x.view(2, 3)`. In torch they have the parameter `IntArrayRef size`.
SIZES = frozenset(
    """empty expand flip new_empty new_ones new_zeros ones permute rand randn repeat reshape resize_ sum_to_size tile view zeros""".split()
)
CREATE_FROM_SIZES = frozenset(("empty", "ones", "rand", "randn", "zeros"))

# Functions that accept more than torch's C++ functions of the same names. So their errors are not replaced by the argument parser's.
TAKES_OTHER_FORMS = _PYTHON_FUNCTIONS | {"atleast_1d", "atleast_2d", "atleast_3d", "broadcast_tensors", "cdist"}

OPERANDS = (Tensor, int, float, np.number, np.bool_)
"""The types of the other operand with which an operator such as `+` returns a tensor."""

_ERRORS_OF_OPERATIONS = (ArithmeticError, RuntimeError, ArgumentError)  # NotImplementedError is a RuntimeError

namespaces: dict[str, dict[str, Callable[..., Any]]] = {"special": {}, "linalg": {}}
"""The functions of `torch.special` and `torch.linalg` by name."""


builtins: dict[str, Callable[..., Any]] = {}
"""The functions of `torch.nn.functional` that torch writes in C++, by name. Most of them are also functions of `torch`."""


def op(*variants: str, name: str | None = None, aliases: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Return a decorator that registers a function as an operation of torch.

    Args:
        variants: the forms that torch offers:
            "function" is `torch.name(x)`;
            "method" is `x.name()`;
            "inplace" is `x.name_()`;
            "inplace_apart" is `x.name_()` that raises an error if an argument shares memory with `x`;
            "function_inplace" is `torch.name_(x)`;
            "out" is `torch.name(x, out=y)` that casts the result to the dtype of `y`;
            "out_exact" is `torch.name(x, out=y)` that raises an error if `y` has another dtype than the result;
            "out_computed" is `torch.name(x, out=y)` that computes in the dtype of `y`;
            "out_dtype" is `torch.name(2, 3, out=y)` of a function that creates a tensor, with the dtype of `y`.
        name: torch's name, if the function has another name. "special.erf" is the function `torch.special.erf`.
        aliases: more names of the operation, with the same variants.

    Raises:
        ValueError: a variant is unknown.
    """

    def register(function: F) -> F:
        for public in (name or function.__name__, *aliases):
            _register(public, function, variants)
        return function

    return register


def builtin(function: F) -> F:
    """Wrap `function` so that wrong arguments raise torch's errors, add the wrapper to this module's dict `builtins`, and return it."""
    builtins[function.__name__] = wrapper = as_torch_function(function.__name__, function, ())
    return wrapper  # type: ignore[return-value]


def _register(public: str, function: Callable[..., Any], variants: tuple[str, ...]) -> None:
    unknown = set(variants) - {
        "function",
        "method",
        "inplace",
        "inplace_apart",
        "function_inplace",
        "out",
        "out_exact",
        "out_computed",
        "out_dtype",
    }
    if unknown:
        raise ValueError(f"{public}: unknown variants {sorted(unknown)}")
    if "." in public:
        namespace, name = public.split(".")
        namespaces[namespace][name] = as_torch_function(f"{namespace}_{name}", function, variants)
        return
    if "function" in variants:
        functions[public] = as_torch_function(public, function, variants)
    if "method" in variants:
        add_methods(**{public: _as_torch_method(public, function) if _takes_arguments(function) else function})
    if "inplace" in variants:
        add_methods(**{public + "_": as_inplace_method(function, public + "_")})
    if "inplace_apart" in variants:
        add_methods(**{public + "_": as_inplace_method(function, public + "_", apply_apart)})
    if "function_inplace" in variants:
        functions[public + "_"] = as_torch_function(public + "_", as_inplace_method(function, public + "_"), ())


class MethodOnFirstUse:
    """Placeholder in Tensor for a method of a module that is not imported yet. The import replaces it by the method."""

    method: Any = None

    def __init__(self, module: str) -> None:
        self.module = module

    def __get__(self, instance: Any, owner: type) -> Any:
        importlib.import_module(self.module)
        return self.method.__get__(instance, owner)


_placeholders: dict[str, MethodOnFirstUse] = {}


def announce_method(name: str, module: str) -> None:
    """Add a placeholder to Tensor for the method `name`, which `module` registers."""
    _placeholders[name] = MethodOnFirstUse(module)
    add_members(Tensor, **{name: _placeholders[name]})


def add_methods(**methods: Any) -> None:
    """Add methods to Tensor. A method that a program has assigned to Tensor in place of a placeholder is kept."""
    for name, method in methods.items():
        placeholder = _placeholders.get(name)
        if placeholder is not None:
            is_replaced = vars(Tensor)[name] is not placeholder and vars(Tensor)[name] is not placeholder.method
            placeholder.method = method
            if is_replaced:
                continue
        add_members(Tensor, **{name: method})


def as_operator(function: Callable[[Tensor, Any], Any], operands: Any = OPERANDS) -> Callable[[Tensor, Any], Any]:
    """Return `function` as a method for an operator, which returns NotImplemented if the other operand has none of the types `operands`."""

    def method(self: Tensor, other: Any) -> Any:
        if other.__class__ is Tensor or isinstance(other, operands):
            return function(self, other)
        return NotImplemented

    return method


def add_operator(
    name: str,
    function: Callable[[Any, Any], Any],
    inplace: str,
    reflected: Callable[[Tensor, Any], Any] | None = None,
    left_operands: Any = OPERANDS,
) -> None:
    """Add an operator such as `+` to Tensor, also in place and with a number on the left.

    Args:
        name: name of the operator in Python, such as `add` for `__add__`, `__radd__` and `__iadd__`.
        inplace: name of the method for the operator in place.
        reflected: computes the result from the tensor on the right and the number on the left; by default with `function`.
        left_operands: types of the number on the left.
    """
    reflected = reflected or (lambda self, other: function(other, self))
    add_methods(
        **{
            f"__{name}__": as_operator(function),
            f"__r{name}__": as_operator(reflected, left_operands),
            f"__i{name}__": as_operator(lambda self, other: getattr(self, inplace)(other)),
        }
    )


def named_as(function: Callable[..., Any]) -> Callable[[F], F]:
    """Return a decorator that copies name and docstring of `function`, as `functools.wraps` does, but in a fifth of the time.

    The import of the engine creates about 800 wrappers.
    """

    def copy_name(wrapper: F) -> F:
        wrapper.__module__, wrapper.__doc__ = function.__module__, function.__doc__
        wrapper.__name__, wrapper.__qualname__ = function.__name__, function.__qualname__
        wrapper.__wrapped__ = function  # type: ignore[attr-defined]
        return wrapper

    return copy_name


def as_torch_function(name: str, function: Callable[..., Any], variants: tuple[str, ...]) -> Callable[..., Any]:
    """Return the function `torch.<name>`, which calls `function`.

    This function also accepts NumPy's names for arguments (`axis` for `dim`, `keepdims`), and `out=` if `variants` contain a name that
    begins with "out". For wrong arguments it raises the error of torch's argument parser.

    Args:
        variants: see `op`. The value "python" says that torch writes this function in Python, so that it does not accept NumPy's names.
    """
    takes_out = any([variant.startswith("out") for variant in variants])
    in_python = "python" in variants or name in _PYTHON_FUNCTIONS
    has_other_forms = in_python or name in TAKES_OTHER_FORMS
    takes_sizes, first = name in SIZES, 0 if name in CREATE_FROM_SIZES else 1
    start, usual, classes = usual_classes(None if has_other_forms else function)
    code = inspect.unwrap(function).__code__
    ignores_keywords = bool(code.co_flags & inspect.CO_VARKEYWORDS) and name not in CREATE_FROM_SIZES
    declared = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]) | (
        {"out"} if takes_out else set()
    )

    @named_as(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if ignores_keywords and kwargs and not kwargs.keys() <= declared:
            _refuse(name, False, args, parser.in_torch_names(kwargs))
        if takes_sizes and not are_sizes(args[first:], not first):
            _refuse(name, False, args, kwargs)
        if (
            len(args) > start
            and (len(args) > start + 1 or args[start].__class__ not in usual)
            and not are_usual(classes, args)
        ):
            args = _with_integers(name, False, classes, args, kwargs)
        try:
            if not kwargs:
                return function(*args)
            if not has_other_forms:
                kwargs = _with_numbers(name, False, args, kwargs)
            if takes_out and "out" in kwargs:
                return _with_out(function, variants, *args, **kwargs)
            return function(*args, **kwargs)
        except (AttributeError, TypeError, ValueError, IndexError) as error:
            call = functools.partial(_with_out, function, variants) if takes_out else function
            return _second_try(function, call, error, name, False, in_python, args, kwargs)
        except _ERRORS_OF_OPERATIONS as error:  # torch reports wrong arguments first
            if not has_other_forms:
                _refuse(name, False, args, kwargs)
            is_written = isinstance(kwargs.get("out"), Tensor) and is_elementwise(function.__name__, variants)
            if isinstance(error, NotImplementedError) and is_written:
                _check_result_type(kwargs["out"], args)
            raise

    return wrapper


def are_sizes(args: tuple[Any, ...], listed: bool) -> bool:
    """Return whether `args` are sizes that torch accepts: a list of Python integers or, if `listed`, separate Python integers."""
    is_list = len(args) == 1 and isinstance(args[0], (tuple, list))
    if not is_list and not (args and listed):
        return False
    return all([n.__class__ is int for n in (args[0] if is_list else args)])


def _refuse(name: str, method: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise torch's TypeError if torch's argument parser rejects these arguments of the function or method `name`."""
    text = parser.rejection(name, method, args, kwargs)
    if text is not None:
        raise TypeError(text) from None


def _check_result_type(target: Tensor, args: tuple[Any, ...]) -> None:
    """Raise RuntimeError if `target`, into which an operation writes, cannot hold the common dtype of its operands in `args`."""
    operands = tuple([v._array if isinstance(v, Tensor) else python_number(v) for v in args if isinstance(v, OPERANDS)])
    check_writable(target, np.empty(target._array.shape, result_type_of(operands)))


def _with_integers(
    name: str, method: bool, classes: Classes, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """Return `args` with NumPy integers and 0-d tensors converted to Python integers, where torch converts them.

    At least one of `args` has a class other than those in `classes`, so torch's argument parser may reject it.

    Raises:
        TypeError: torch's argument parser rejects an argument.
    """
    _refuse(name, method, args, kwargs)
    numbers = parser.tensors_for_numbers(name, method, args, kwargs)
    converted = with_integers(classes, args)
    return tuple(
        [
            as_number(value) if position in numbers else value if isinstance(value, Tensor) else converted[position]
            for position, value in enumerate(args)
        ]
    )


def _with_numbers(name: str, method: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return `kwargs` with 0-d tensors converted to numbers where torch expects a number.

    Raises:
        TypeError: torch rejects an argument, such as a tensor that requires grad where a number is expected.
    """
    if not are_usual_keywords(kwargs):
        _refuse(name, method, args, kwargs)
        numbers = {"dtype"} | INTEGERS | parser.tensors_for_numbers(name, method, args, kwargs)
        return {keyword: as_number(value) if keyword in numbers else value for keyword, value in kwargs.items()}
    return kwargs


def _second_try(
    function: Callable[..., Any],
    call: Callable[..., Any],
    error: BaseException,
    name: str,
    method: bool,
    in_python: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """After `call(*args, **kwargs)` failed with `error`, repeat it with torch's names in place of NumPy's: `dim` for `axis`.

    If this fails too, or no argument has a name of NumPy's, raise the error of torch's argument parser if it rejects the arguments.
    Otherwise, raise the error of the last call. Before all this, raise torch's RuntimeError if the tensors are on different
    devices.

    Args:
        in_python: whether torch writes the function in Python, so that it does not accept NumPy's names.
        args: the arguments; for a method, `self` is the first.
    """
    check_one_device(args, kwargs)
    renamed = kwargs if in_python or not kwargs else parser.in_torch_names(kwargs)
    if renamed != kwargs:
        try:
            return call(*args, **renamed)
        except (AttributeError, TypeError, ValueError, IndexError) as second:
            error = second
    if name in parser.NUMBERS_AS_TENSORS and args and isinstance(args[0], (int, float)):  # as in torch.add(3, 4)
        with contextlib.suppress(AttributeError, TypeError, ValueError, IndexError):
            return call(Tensor._wrap(np.full((), args[0], number_dtype(args[0]).numpy)), *args[1:], **renamed)
    if in_python and "positional argument" not in str(error):
        _check_first_read(name, args, kwargs)
    if in_python and (isinstance(error, IndexError) or str(error).startswith(f"{name}(): ")):
        # A C++ function with the same name, such as torch.embedding, has other parameters. It accepted its arguments or raised the error.
        text = None
    elif in_python and "unexpected keyword argument" in str(error):
        text = f"Tensor.{error}" if method else None
    else:
        text = parser.rejection(name, method, args[1:] if method else args, kwargs) or _no_tensor(
            function, name, args, kwargs
        )
    if text is None:
        raise error
    if kwargs.get("inplace") is True:  # torch then calls the function in place, whose name ends in an underscore
        text = text.replace(f"{name}():", f"{name}_():", 1)
    raise TypeError(text).with_traceback(error.__traceback__) from None


def _check_first_read(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise AttributeError if an argument does not have the attribute that the Python code of torch's function `name` reads first."""
    attribute = _FIRST_READ.get(name)
    if name in ("softmax", "log_softmax") and kwargs.get("dim", args[1] if len(args) > 1 else None) is None:
        attribute = "dim"  # to choose a dimension
    for value in reversed(args[:2]) if name in _READS_TARGET_FIRST else args[:1]:
        if attribute and not hasattr(value, attribute):
            raise AttributeError(f"'{parser.type_name(value)}' object has no attribute '{attribute}'") from None


_READS_TARGET_FIRST = frozenset(
    """mse_loss l1_loss smooth_l1_loss huber_loss gaussian_nll_loss binary_cross_entropy
    binary_cross_entropy_with_logits""".split()
)
_FIRST_READ = {
    name: attribute
    for attribute, names in (
        ("dim", "glu interpolate dropout1d dropout2d dropout3d softmin"),
        ("size", "adaptive_avg_pool2d adaptive_avg_pool3d instance_norm"),
        *(("size", name) for name in _READS_TARGET_FIRST),
        ("is_floating_point", "affine_grid"),
        ("layout", "norm"),
        ("split", "split"),
        ("tanh", "tanh tanhshrink"),
        *((name, name) for name in ("softmax", "log_softmax", "sigmoid")),
        ("abs", "softsign"),
        ("norm", "normalize"),
    )
    for name in names.split()
}
"""The attribute that a function which torch writes in Python reads first: of its input, or in some losses of its target and then its input."""


_C_NAMES = {"logsigmoid": "log_sigmoid", "cross_entropy": "cross_entropy_loss", "nll_loss": "nll_loss_nd"}
"""Names of C++ functions that messages show, by the name of the function in `torch.nn.functional` that calls them."""


def _no_tensor(function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return torch's message for the first argument that should be a tensor and is not one.

    Return None if there is no such argument, or if the arguments do not fit the signature of `function`.
    """
    signature = inspect.signature(function)
    try:
        value_by_name = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None
    for position, parameter in enumerate(signature.parameters.values(), 1):
        kind, value = str(parameter.annotation), value_by_name.get(parameter.name)
        if kind.startswith("Tensor") and not isinstance(value, Tensor) and not (value is None and "None" in kind):
            return f"{_C_NAMES.get(name, name)}(): argument '{parameter.name}' (position {position}) must be Tensor, not {parser.type_name(value)}"
    return None


def _takes_arguments(function: Callable[..., Any]) -> bool:
    """Return whether a method has `*args`, or other parameters than `self` and `memory_format`. Only then are its arguments checked."""
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return bool(code.co_flags & 0x04) or not {"memory_format"}.issuperset(names)


def _as_torch_method(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method `Tensor.<name>`, which calls `function`.

    This method also accepts NumPy's names for arguments. For wrong arguments it raises the error of torch's argument parser.
    """
    in_python = name in _PYTHON_METHODS
    takes_sizes = name in SIZES
    start, usual, classes = usual_classes(None if in_python else function, skipped=1)

    @named_as(function)
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if takes_sizes and not are_sizes(args, True):
            _refuse(name, True, args, kwargs)
        if (
            len(args) > start
            and (len(args) > start + 1 or args[start].__class__ not in usual)
            and not are_usual(classes, args)
        ):
            args = _with_integers(name, True, classes, args, kwargs)
        try:
            if not kwargs:
                return function(self, *args)
            return function(self, *args, **kwargs if in_python else _with_numbers(name, True, args, kwargs))
        except (AttributeError, TypeError, ValueError, IndexError) as error:
            return _second_try(function, function, error, name, True, in_python, (self, *args), kwargs)
        except _ERRORS_OF_OPERATIONS:  # torch reports wrong arguments first
            if not in_python:
                _refuse(name, True, args, kwargs)
            raise

    return method


def _with_out(
    function: Callable[..., Any], variants: tuple[str, ...], *args: Any, out: Any = None, **kwargs: Any
) -> Any:
    """Call `function`, write its result into `out`, and return `out`. If `out` is None, return the result."""
    if out is None:
        return function(*args, **kwargs)
    if "out_dtype" in variants:
        return create_into(out, function, args, kwargs)
    check_no_gradient(function.__name__, out)
    is_computed = "out_computed" in variants
    if is_computed and kwargs.get("dtype") is None:
        kwargs["dtype"] = out.dtype
    result = function(*args, **kwargs)
    name, values = function.__name__, (*args, *kwargs.values())
    lists = [v if isinstance(v, (list, tuple)) else (v,) for v in values]
    sources = [source for values in lists for source in values if isinstance(source, Tensor)]
    is_maximum = name in ("max", "min") and len(sources) > 1
    if isinstance(result, Tensor) and isinstance(values[0], Tensor) and (is_maximum or is_elementwise(name, variants)):
        check_no_gradient(name, result)
        check_elementwise(out, sources, result._array.shape)
    apart = sources if name in APART else ()
    return write_out(result, out, name, is_computed or "out_exact" in variants, apart)


def as_inplace_method(
    function: Callable[..., Any], public: str, apply: Callable[..., Tensor] = apply_inplace
) -> Callable[..., Any]:
    """Return the method `Tensor.<public>`, such as `exp_`, which calls `apply(function, self, ...)` to overwrite `self`.

    This method also accepts NumPy's names for arguments. For wrong arguments it raises the error of torch's argument parser.
    """
    start, usual, classes = usual_classes(function, skipped=1)

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if (
            len(args) > start
            and (len(args) > start + 1 or args[start].__class__ not in usual)
            and not are_usual(classes, args)
        ):
            args = _with_integers(public, True, classes, args, kwargs)
        try:
            return apply(function, self, *args, **_with_numbers(public, True, args, kwargs) if kwargs else kwargs)
        except (AttributeError, TypeError, ValueError, IndexError) as error:
            call = functools.partial(apply, function)
            return _second_try(function, call, error, public, True, False, (self, *args), kwargs)
        except _ERRORS_OF_OPERATIONS as error:  # such as the error for a leaf; torch reports wrong arguments first
            _refuse(public, True, args, kwargs)
            if isinstance(error, NotImplementedError) and is_elementwise(function.__name__, ("out",)):
                _check_result_type(self, (self, *args))
            raise

    method.__name__ = method.__qualname__ = public
    method.__doc__ = f"In-place version of `{function.__name__}`."
    return method
