"""`Function`: custom operations with a forward and a backward.

The context object `ctx` that `forward` and `backward` receive is the node of the graph. Each Function has its own class of nodes,
`<Name>Backward`.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.autograd.saved_hooks import raw_saved
from reference_impl.core import saving
from reference_impl.core.modes import mode, no_grad
from reference_impl.core.node import ALREADY_FREED, NO_EDGE, Node, gradient_edge, next_sequence_number
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import CreationMeta, View, check_inplace, rebase_history, set_gradient_edge


class FunctionCtx(Node):
    """The methods and attributes of `ctx`: `forward` stores tensors, values and options, `backward` reads them.

    Attributes:
        needs_input_grad: for each argument of `forward`, whether it needs a gradient.
    """

    _forward_cls: type[Function]
    needs_input_grad: tuple[bool, ...] = ()
    # `forward` sets these four attributes. After it they are None again.
    to_save: tuple[Any, ...] | None = None
    dirty_tensors: tuple[Tensor, ...] | None = None
    non_differentiable: tuple[Tensor, ...] | None = None
    saved_for_forward: tuple[Any, ...] | None = None
    materialize_grads: bool = True
    is_tensor_input: tuple[bool, ...] = ()
    unpacks_at_access = True  # as in torch, reading `saved_tensors` calls unpack hooks, at each access

    def save_for_backward(self, *tensors: Any) -> None:
        """Save inputs, outputs or intermediate tensors for `backward`, which reads them as `saved_tensors`. Entries may be None."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Save tensors for `jvp`, which the engine never calls. Entries may be None.

        Raises:
            AssertionError: an argument is not a tensor.
        """
        if not all(t is None or isinstance(t, Tensor) for t in tensors):
            raise AssertionError(
                "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Declare that `forward` has changed these inputs in place. It must return them as outputs."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Declare that these outputs have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether `backward` receives zeros (the default) or None for outputs that were not used."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """Return the tensors passed to `save_for_backward`.

        Raises:
            RuntimeError: the graph was freed, or a tensor was changed in place after it was saved.
        """
        if self.saved is None:
            raise RuntimeError(ALREADY_FREED)
        return tuple([self.saved_value(i) for i in range(len(self.saved))])

    @property
    def saved_variables(self) -> tuple[Tensor, ...]:
        """Return `saved_tensors` under its old name, with a DeprecationWarning."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        if self.saved is None:
            raise RuntimeError(ALREADY_FREED)
        return tuple([raw_saved(self, i) for i in range(len(self.saved))])


INTERNAL_NAMES = frozenset(vars(Node)["__annotations__"]) | {
    "array_like", "is_tensor_input", "unpacks_at_access", "source_module",
}  # fmt: skip
FUNCTION_NAMES = frozenset([name for name in vars(FunctionCtx) if name[0] != "_"]) - INTERNAL_NAMES | {"_forward_cls"}
"""`dir` of a Function's node omits INTERNAL_NAMES and adds FUNCTION_NAMES."""

for _name in vars(FunctionCtx)["__annotations__"]:
    if "_saved_" + _name in vars(FunctionCtx):
        delattr(FunctionCtx, "_saved_" + _name)  # these attributes are options, not saved values


class BackwardCFunction(FunctionCtx):
    """The node of a Function: the gradients are the results of the user's `backward`."""

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Call the user's `backward`, and return the gradients of those arguments of `forward` that are tensors.

        Raises:
            RuntimeError: `backward` returns a wrong number of gradients, a gradient that is neither a tensor nor None, or a gradient of an
                argument that is not a tensor. Or the class defines both `backward` and `vjp`.
        """
        if self.materialize_grads:
            grads = tuple([self._zeros(i) if g is None else g for i, g in enumerate(grads)])
        results = self._user_backward()(self, *grads)
        results = results if isinstance(results, tuple) else (results,)
        return self._check_gradients(results)

    __repr__ = object.__repr__

    def _zeros(self, output_nr: int) -> Tensor | None:
        if self.outputs[output_nr] is None:  # this output is not a tensor
            return None
        shape, dtype = self.outputs[output_nr]
        return Tensor._wrap(_backend.full_like(self.array_like, 0, shape, dtype))

    def _user_backward(self) -> Callable[..., Any]:
        user_class, base = self._forward_cls, Function
        if user_class.backward is not base.backward and user_class.vjp is not base.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of "
                "them."
            )
        return user_class.backward if user_class.backward is not base.backward else user_class.vjp

    def _check_gradients(self, results: tuple[Any, ...]) -> tuple[Tensor | None, ...]:
        """Check that `results` has a gradient or None for each argument of `forward`. Return those for arguments that are tensors.

        Surplus results at the end are ignored if they are None.

        Raises:
            RuntimeError: see `apply`.
        """
        expected = len(self.is_tensor_input)
        if len(results) > expected and all(r is None for r in results[expected:]):
            results = results[:expected]
        if len(results) != expected:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, got {len(results)})"
            )
        for index, (result, is_tensor) in enumerate(zip(results, self.is_tensor_input, strict=True)):
            if result is not None and not isinstance(result, Tensor):
                raise RuntimeError(f"expected Variable or None (got {_type_name(result)})")
            if result is not None and not is_tensor:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {index + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
        return tuple([r for r, is_tensor in zip(results, self.is_tensor_input, strict=True) if is_tensor])


class Function:
    """Base of custom operations: subclass it, write `forward` and `backward` as static methods, call `apply`.

    `forward(ctx, *args)` computes under `no_grad` and returns a tensor or a tuple of tensors. `backward(ctx, *grads)` receives a
    gradient per output, and returns a gradient or None per argument of `forward`; its name may also be `vjp`. A class may define
    `setup_context(ctx, inputs, output)` to fill `ctx`. Then its `forward` has no parameter `ctx`.
    """

    _backward_cls: type[BackwardCFunction]

    def __init_subclass__(cls) -> None:
        name = cls.__name__ + "Backward"
        cls._backward_cls = type(
            name, (BackwardCFunction,), {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should invoke them "
            "on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with "
            "static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Raise NotImplementedError. Subclasses override this method to compute the outputs from the arguments."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Raise NotImplementedError. A subclass whose `forward` has no parameter `ctx` overrides this method to store values in `ctx`."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Raise NotImplementedError. Subclasses override this method to compute the gradients of the arguments of `forward`."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward "
            "mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Raise NotImplementedError: the engine has no forward-mode differentiation."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, and record the node if an argument requires grad. Return the outputs of `forward`.

        Raises:
            RuntimeError: a tensor that was marked dirty is not among the outputs, or must not be changed in place, such as a leaf that
                requires grad.
            TypeError: the arguments do not fit `forward`, or an object that is not a tensor was saved.
        """
        has_setup = cls.setup_context is not Function.setup_context
        if has_setup:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        elif kwargs:
            args = _positional(cls.forward, args, kwargs)
        ctx = object.__new__(cls._backward_cls)
        edges = [gradient_edge(a) if isinstance(a, Tensor) else NO_EDGE for a in args]
        ctx.needs_input_grad = tuple([isinstance(a, Tensor) and a.requires_grad for a in args])
        ctx.is_tensor_input = tuple([isinstance(a, Tensor) for a in args])
        recorded = mode.enabled and any(ctx.needs_input_grad)
        with no_grad():
            if not has_setup:
                outputs = cls.forward(ctx, *args)
            else:
                outputs = cls.forward(*args)
                cls.setup_context(ctx, args, outputs)
        is_tuple = isinstance(outputs, tuple)
        results = _finish(ctx, args, outputs if is_tuple else (outputs,), edges, recorded)
        return results if is_tuple else results[0]


Function.__module__ = FunctionCtx.__module__ = BackwardCFunction.__module__ = "torch.autograd.function"


def _positional(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return all arguments after `ctx` as positional arguments of `forward`: `args`, then `kwargs` in the order of the parameters.

    Raises:
        TypeError: a keyword is unknown or repeats a positional argument, or an argument is missing.
    """
    parameters = list(inspect.signature(forward).parameters.values())[1:]
    names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    values = list(args)
    last = max(names.index(name) for name in kwargs)
    for parameter in parameters[len(args) : last + 1]:
        if parameter.name not in kwargs and parameter.default is parameter.empty:
            raise TypeError(f"forward() missing a required argument: '{parameter.name}'")
        values.append(kwargs.get(parameter.name, parameter.default))
    return tuple(values)


def _finish(
    ctx: Any, args: tuple[Any, ...], outputs: tuple[Any, ...], edges: list[Any], recorded: bool
) -> tuple[Any, ...]:
    """Make the node `ctx` the `grad_fn` of the outputs, and save the tensors that `save_for_backward` listed. Return the outputs.

    Without `recorded`, no output gets a `grad_fn`, and nothing is saved.

    Raises:
        RuntimeError, TypeError: as `Function.apply`.
    """
    _check_dirty(ctx, args, outputs)
    if recorded:
        tensor_edges = [e for e, is_tensor in zip(edges, ctx.is_tensor_input, strict=True) if is_tensor]
        ctx.next_nodes, ctx.next_output_nrs = zip(*tensor_edges, strict=True) if tensor_edges else ((), ())
        ctx.sequence_number = next_sequence_number()
    results = [
        _attach_output(ctx, out, number, args, recorded) if isinstance(out, Tensor) else out
        for number, out in enumerate(outputs)
    ]
    tensors = [t for t in results if isinstance(t, Tensor)]
    if recorded:
        ctx.outputs = tuple([(t._array.shape, t._array.dtype) if isinstance(t, Tensor) else None for t in results])
        if tensors:
            ctx.array_like = np.zeros_like(tensors[0]._array, shape=(0,))
    if sum(t._grad_fn is ctx for t in tensors) > 1:
        for out in tensors:
            if out._view is not None:
                out._view.creation = CreationMeta.MULTI_OUTPUT_NODE
    _save(ctx, results, recorded)
    if ctx.dirty_tensors or ctx.non_differentiable or ctx.saved_for_forward:
        ctx.dirty_tensors = ctx.non_differentiable = ctx.saved_for_forward = None
    return tuple(results)


def _check_dirty(ctx: Any, args: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
    for t in ctx.dirty_tensors or ():
        if not isinstance(t, Tensor):
            raise RuntimeError("mark_dirty can only accept variables, but argument ")  # torch's message ends here
        if not any(t is a for a in args):
            warnings.warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
                "passed to ctx.mark_dirty().",
                stacklevel=3,
            )
        if not any(t is out for out in outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
                "modified inplace must all be outputs of the Function."
            )
        t._bump_version()


def _is_among(tensor: Tensor, tensors: tuple[Any, ...] | None) -> bool:
    return tensors is not None and any(tensor is t for t in tensors)


def _attach_output(ctx: Any, out: Tensor, number: int, args: tuple[Any, ...], recorded: bool) -> Tensor:
    """Return `out`, output `number` of `forward`, connected to the node `ctx` if it is differentiable and recorded.

    See torch/csrc/autograd/custom_function.cpp.

    If `forward` returns an input unchanged, the output is a view of the input, so that input and output can have different `grad_fn`.

    Raises:
        RuntimeError: `out` was marked dirty, and must not be changed in place, such as a leaf that requires grad.
    """
    is_input, is_dirty = _is_among(out, args), _is_among(out, ctx.dirty_tensors)
    if not recorded or _is_among(out, ctx.non_differentiable) or out._array.dtype.kind != "f":
        if out.requires_grad:
            if is_input:
                out = out.detach()
            elif out._view is None:
                out.detach_()
        elif is_input and not is_dirty:
            out = _view_of_itself(out)
    elif is_dirty:
        if out._view is not None:
            check_inplace(out, True)
            out._grad = None
            rebase_history(out, ctx)
            return out
        if is_input and out.is_leaf and out._requires_grad:
            raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        out._grad = None
        set_gradient_edge(out, ctx, number)
    else:
        if is_input:
            out = _view_of_itself(out)
        out._grad_fn, out._output_nr = ctx, number
    if out._view is not None and not (is_input and is_dirty):
        out._view.creation = CreationMeta.IN_CUSTOM_FUNCTION
        out._view.seen_version = out._version
    return out


def _view_of_itself(tensor: Tensor) -> Tensor:
    alias = tensor._alias()
    if tensor._shared_version().is_versioned:
        base = tensor if tensor._view is None else tensor._view.base
        alias._view = View(base, CreationMeta.IN_CUSTOM_FUNCTION, tensor._version)
    return alias


def _save(ctx: Any, results: list[Any], recorded: bool) -> None:
    if ctx.to_save is None or not recorded:
        ctx.to_save = None
        return
    for index, t in enumerate(ctx.to_save):
        if t is not None and not isinstance(t, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {index} is of type {_type_name(t)}"
            )
    numbers = [next((i for i, out in enumerate(results) if out is t), None) for t in ctx.to_save]
    is_output = [
        t is not None and n is not None and t._grad_fn is ctx for t, n in zip(ctx.to_save, numbers, strict=True)
    ]
    saving.save(
        ctx,
        [Result(n) if o and n is not None else t for t, n, o in zip(ctx.to_save, numbers, is_output, strict=True)],
        results,
    )
    ctx.to_save = None


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` whose result cannot be differentiated: it runs under `no_grad`, and a second derivative raises an error."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with no_grad():
            outputs = fn(ctx, *args)
        recorded = mode.enabled and any(isinstance(a, Tensor) and a.requires_grad for a in args)
        if not recorded:
            return outputs
        is_tuple = isinstance(outputs, tuple)
        results = []
        for out in outputs if is_tuple else (outputs,):
            if isinstance(out, Tensor):
                out = out.detach()
                node = Error()
                node.next_nodes = (gradient_edge(out.detach().requires_grad_())[0],)
                node.sequence_number = next_sequence_number()
                node.outputs = ((out._array.shape, out._array.dtype),)
                out._grad_fn = node
            results.append(out)
        return tuple(results) if is_tuple else results[0]

    return wrapper


class Error(Node):
    """The node of a gradient from `once_differentiable`, which cannot be differentiated. Its edge leads to a new leaf."""

    namespace = "torch::autograd::"

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Raise RuntimeError: the result was marked with `once_differentiable`."""
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def _type_name(value: Any) -> str:
    return type(value).__name__
