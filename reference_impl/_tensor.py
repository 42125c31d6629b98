"""`Tensor`: an array, a place in the graph, and a version.

The methods that compute (`add`, `sum`, `view`, ...) are defined in `reference_impl.ops` and put onto the class by its
registry, those that only look at the array in `_array_access`; here is what a tensor *is*.
"""

from __future__ import annotations

import sys
import warnings
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._array_access import ArrayAccess, _checked_dim  # noqa: F401 (the operations take it from here)
from reference_impl.autograd.grad_mode import in_inference_mode, mode
from reference_impl.autograd.node import Edge, Node, accumulator_of, gradient_edge
from reference_impl.utils.hooks import RemovableHandle, register

if TYPE_CHECKING:
    from reference_impl.autograd.view import View

_NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated "
    "during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use "
    ".retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf "
    "Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)
_ONLY_LEAVES = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph "
    "that doesn't require differentiation use var_no_grad = var.detach()."
)
# References to a gradient that nobody but the engine holds, as counted inside `_owned` (test_gradient_ownership keeps them true).
# From 3.14 on Python lends local variables to its stack without counting them, and a count proves nothing: always a copy.
_COUNTED = sys.version_info < (3, 14)
_ENGINE_REFERENCES_TO_TENSOR = 5 if _COUNTED else 0
_ENGINE_REFERENCES_TO_ARRAY = 3 if _COUNTED else 0


class Tensor(ArrayAccess):
    """A multi-dimensional array that can remember how it was computed.

    What every operation reads is in slots: Python reads those four times faster than an attribute with a default on the class.
    What most tensors never have (a gradient, hooks) has its default on the class, so that making a tensor does not set it.

    Attributes:
        _array: the values: an ndarray of NumPy or CuPy, always an array, also without dimensions.
        _grad_fn, _output_nr: the node that made this tensor and which of its outputs this is; None, 0 for a leaf. For a view
            they may be out of date: see `grad_fn`.
        _requires_grad: set on leaves only; see `requires_grad`.
        _version_counter: an array of one integer (which the garbage collector need not follow, as it would a list), shared by
            all tensors on the same memory; None while it is 0 and unshared.
        _view: how this tensor is a view of another; None if it is not.
    """

    __slots__ = ("_array", "_grad_fn", "_output_nr", "_version_counter", "_view", "__dict__", "__weakref__")

    _array: Any
    _grad_fn: Node | None
    _output_nr: int
    _version_counter: np.ndarray | None
    _view: View | None
    _requires_grad: bool = False
    _grad: Tensor | None = None
    _retains_grad: bool = False
    _accumulator: weakref.ReferenceType[Any] | None = None
    _backward_hooks: OrderedDict[int, Any] | None = None
    _post_accumulate_grad_hooks: OrderedDict[int, Any] | None = None
    _inference: bool = False

    if TYPE_CHECKING:
        # The operations are put onto the class by `ops.registry`; operators are looked up on the class, so they are named.
        def __getattr__(self, name: str) -> Any: ...
        def _binary(self, other: Any) -> Tensor: ...
        def _unary(self) -> Tensor: ...
        def _indexed(self, index: Any) -> Tensor: ...
        def _indexed_write(self, index: Any, value: Any) -> None: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = (
            __rpow__
        ) = _binary
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __matmul__ = __rmatmul__ = __and__ = __or__ = __xor__ = (
            _binary
        )
        __lt__ = __le__ = __gt__ = __ge__ = __lshift__ = __rshift__ = _binary
        __eq__ = __ne__ = _binary  # type: ignore[assignment]
        __neg__ = __pos__ = __abs__ = __invert__ = _unary
        __getitem__, __setitem__ = _indexed, _indexed_write

    def __new__(cls, *args: Any, **kwargs: Any) -> Tensor:
        """The legacy constructor: `Tensor(2, 3)` makes uninitialised values, `Tensor([2, 3])` those of the list, both of
        the default dtype whatever the values are."""
        from reference_impl.ops.creation import legacy_tensor

        return legacy_tensor(cls, *args, **kwargs)

    # -- making tensors from arrays, inside the engine

    @staticmethod
    def _wrap(array: Any) -> Tensor:
        """A tensor around `array`, without a place in the graph."""
        t = Tensor._of(array if array.__class__ is np.ndarray else _backend.as_array(array))
        if in_inference_mode and mode.inference:
            t._inference = True
        return t

    @staticmethod
    def _of(array: Any, version_counter: Any = None) -> Tensor:
        """A tensor on memory that others see too, with their version."""
        t = _new(Tensor)
        t._array = array
        t._version_counter = version_counter
        t._grad_fn = t._view = None
        t._output_nr = 0
        return t

    @staticmethod
    def _blank(cls: Any) -> Any:
        """A tensor of the class `cls` that has no array yet."""
        t = _new(cls)
        t._version_counter = t._grad_fn = t._view = None
        t._output_nr = 0
        return t

    def _alias(self) -> Tensor:
        """A second tensor on the same memory and version, without a place in the graph."""
        return Tensor._of(self._array, self._shared_version())

    def _attached_to(self, node: Node, output_nr: int) -> Tensor:
        """An alias whose place in the graph is output `output_nr` of `node`."""
        t = self._alias()
        t._grad_fn, t._output_nr = node, output_nr
        return t

    def _owned(self) -> Tensor:
        """These values in memory that nobody else sees: itself where that is provably so, otherwise a copy."""
        array = self._array
        if (
            self._grad_fn is None
            and sys.getrefcount(self) <= _ENGINE_REFERENCES_TO_TENSOR
            and sys.getrefcount(array) <= _ENGINE_REFERENCES_TO_ARRAY
        ):
            if array.base is None:
                return self
            if self._is_all_of_its_base():
                return Tensor._wrap(array)
        return Tensor._wrap(array.copy("K" if array.base is None else "C"))

    def _is_all_of_its_base(self) -> bool:
        """Whether this view shows all the memory of a base that nobody else holds: of a transposed product, say."""
        array, view = self._array, self._view
        owner = array.base
        return (
            view is not None
            and type(owner) is np.ndarray
            and owner.size == array.size
            and array.flags.c_contiguous
            and sys.getrefcount(owner) <= 4
            and sys.getrefcount(view.base) <= 2
        )

    def _to_numpy_dtype(self, numpy_dtype: Any) -> Tensor:
        return self.to(_dtype.from_numpy(numpy_dtype))

    # -- version

    @property
    def _version(self) -> int:
        """How many in-place operations changed this memory."""
        if self._inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        counter = self._version_counter
        if counter is None and self._grad_fn is not None:
            counter = self._grad_fn._result_counter
        return 0 if counter is None else int(counter[0])

    def _shared_version(self) -> np.ndarray:
        """The counter, made if there is none yet, to be shared with another tensor on this memory.

        The node that saved this tensor as its result shares it.
        """
        if self._version_counter is None:
            node = self._grad_fn
            if node is None or (node._result is None and node._result_counter is None):
                self._version_counter = _zero_version()
            else:
                if node._result_counter is None:
                    node._result_counter = _zero_version()
                self._version_counter = node._result_counter
        return self._version_counter

    def _bump_version(self) -> None:
        """Count a change that has been made.

        Raises:
            RuntimeError: an inference tensor, outside inference mode. As in torch, its values have changed by then.
        """
        if self._inference and not mode.inference:
            raise RuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a "
                "clone to get a normal tensor before doing inplace update.See "
                "https://github.com/pytorch/rfcs/pull/17 for more details."
            )
        self._shared_version()[0] += 1

    # -- place in the graph

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to or through this tensor."""
        if self._view is not None and self._view.base.requires_grad:
            return True
        return self._requires_grad or self._grad_fn is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, (bool, np.bool_)):
            raise RuntimeError("requires_grad must be a bool")
        if self.grad_fn is not None:
            text = "you can only change requires_grad flags of leaf variables."
            raise RuntimeError(text if value else _ONLY_LEAVES)
        if value and self._array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if value and self._inference and not mode.inference:
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        self._requires_grad = bool(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` in place and return the tensor."""
        if not isinstance(requires_grad, (bool, np.bool_)):
            given = type(requires_grad).__name__
            raise TypeError(f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {given}")
        if not (requires_grad and self.grad_fn is not None):
            self.requires_grad = requires_grad
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node that computed this tensor; None for a leaf."""
        if self._view is not None:
            self._view.refresh(self)
        return self._grad_fn

    @property
    def _edge(self) -> Edge | None:
        """(`_grad_fn`, `_output_nr`) as a pair; None for a leaf."""
        return None if self._grad_fn is None else (self._grad_fn, self._output_nr)

    @_edge.setter
    def _edge(self, edge: Edge | None) -> None:
        self._grad_fn, self._output_nr = (None, 0) if edge is None else edge

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor."""
        return self.grad_fn is None

    @property
    def output_nr(self) -> int:
        """Which output of its node the tensor is."""
        return self._output_nr if self._grad_fn is not None else 0

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes have added up here; None before the first."""
        if self._grad is None and not self._retains_grad and self._grad_fn is not None:
            warnings.warn(_NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            self._check_grad(value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _check_grad(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value._array.dtype != self._array.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{value.dtype.c_name}' to a tensor with grad_dtype "
                f"'{self.dtype.tensor_type}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any "
                "dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
                "downstream systems that assume they match."
            )
        if value.shape != self.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size '{list(self.shape)}'. "
                "Please ensure that the gradient and the tensor are the same size"
            )

    @property
    def retains_grad(self) -> bool:
        """Whether this non-leaf tensor keeps its gradient."""
        return self._retains_grad

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf tensor in `.grad`. On a leaf it does nothing.

        Raises:
            RuntimeError: the tensor does not require grad.
        """
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._retains_grad or self.is_leaf:
            return
        self._retains_grad = True
        self._keep_grad_of(*gradient_edge(self))  # type: ignore[misc]

    def _keep_grad_of(self, node: Node, output_nr: int) -> None:
        reference = weakref.ref(self)

        def keep(grad: Tensor) -> None:
            tensor = reference()
            if tensor is not None:
                if tensor._grad is None:
                    tensor._grad = grad if mode.enabled and grad.requires_grad else Tensor._wrap(grad._array.copy("K"))
                else:
                    tensor._grad = tensor._grad + grad

        node.has_hooks = True
        if node.retain_grad_hooks is None:
            node.retain_grad_hooks = {}
        node.retain_grad_hooks[output_nr] = keep

    def register_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(grad)` whenever the gradient of this tensor is computed; a tensor it returns takes its place.

        Raises:
            RuntimeError: the tensor does not require grad.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        edge = gradient_edge(self)
        assert edge is not None
        if not self.is_leaf:
            return edge[0].add_tensor_pre_hook(edge[1], hook)
        if self._backward_hooks is None:
            self._backward_hooks = OrderedDict()
        return register(self._backward_hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(tensor)` after the `.grad` of this leaf was filled.

        Raises:
            RuntimeError: the tensor does not require grad, or is no leaf.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        return register(self._post_accumulate_grad_hooks, hook)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Compute the gradients of the leaves and add them to their `.grad`. See `autograd.backward`."""
        from reference_impl import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def detach(self) -> Tensor:
        """A tensor on the same memory and version that is cut off from the graph."""
        t = self._alias()
        if self._inference:
            t._inference = True
        return t

    def detach_(self) -> Tensor:
        """Cut this tensor itself off from the graph.

        Raises:
            RuntimeError: it is a view: its base would still be attached.
        """
        if self._view is not None and self._view.differentiable:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
                "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
                "detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
            )
        self._shared_version()  # the node may have saved this tensor: it shall still see changes
        self._edge, self._requires_grad = None, False
        return self

    @property
    def data(self) -> Tensor:
        """The same memory with a version of its own: changes through it go unnoticed by autograd."""
        t = Tensor._of(self._array)
        if self._inference:
            t._inference = True
        return t

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self.requires_grad and value._array.dtype.kind != "f":
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        self._array = value._array

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @property
    def _base(self) -> Tensor | None:
        """The tensor that this one is a view of; None if it is no view."""
        return None if self._view is None else self._view.base

    def _is_view(self) -> bool:
        return self._view is not None

    # -- what Python asks for

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float, bool)):
            return bool((self == element).any().item())
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")

    def __hash__(self) -> int:
        return id(self)

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()))

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        from reference_impl._tensor_str import repr_of

        return repr_of(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        if id(self) in memo:
            return memo[id(self)]
        t = Tensor._blank(type(self))
        t._array = self._array.copy("K")
        t._requires_grad = self._requires_grad
        if self._grad is not None:
            t._grad = self._grad.__deepcopy__(memo)
        t.__dict__.update({k: v for k, v in self.__dict__.items() if not hasattr(Tensor, k)})
        memo[id(self)] = t
        return t

    def __reduce_ex__(self, protocol: Any) -> Any:
        from reference_impl.serialization import reduce_tensor

        return reduce_tensor(self)

    def _grad_accumulator(self) -> Node:
        return accumulator_of(self)


Tensor.__module__ = "torch"
Node.make_tensor = staticmethod(Tensor._of)
_new = object.__new__


def _zero_version() -> np.ndarray:
    return np.zeros(1, np.int64)
