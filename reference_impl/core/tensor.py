"""`Tensor`: an array, its node in the graph, and a version.

The methods that compute (`add`, `sum`, `view`, ...) are declared in `operations`, which adds them to the class.
"""

from __future__ import annotations

import warnings
import weakref
from typing import Any

import numpy as np
from numpy import ndarray

from reference_impl._tensor_str import repr_of
from reference_impl.core.arrays import ArrayAccess
from reference_impl.core.extensions import extensions, states
from reference_impl.core.hooks import RemovableHandle, register
from reference_impl.core.modes import mode
from reference_impl.core.node import Node, accumulator_of, gradient_edge

NON_LEAF_GRAD = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
ONLY_LEAVES = "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
OTHER_SIZE = "attempting to assign a gradient of size '{}' to a tensor of size '{}'. Please ensure that the gradient and the tensor are the same size"


class VersionCounter:
    """The version of a piece of memory: the number of in-place operations on it.

    All tensors on this memory share the counter, except results of `.data`, which have separate counters.
    """

    value = 0
    is_versioned = True  # inference tensors have no version

    def read(self) -> int:
        """Return the version, for `Tensor._version`. The counter of inference tensors raises RuntimeError instead."""
        return self.value

    def bump(self) -> None:
        """Raise the version by 1."""
        self.value += 1


class Tensor(ArrayAccess):
    """A multi-dimensional array that can refer to the node of the operation that computed it.

    Attributes:
        _array: the values: an ndarray of NumPy or CuPy, also for a tensor without dimensions.
        _grad_fn, _output_nr: the node that computed this tensor, and the index of this tensor among its outputs; None and 0 for a
            leaf. For a view they may be out of date: `grad_fn` updates them.
        _requires_grad: set on leaves only; see `requires_grad`.
        _version_counter: the version of the memory; None as long as the version is 0 and no other tensor shares the memory.
        _view: the base of a view (see `views`); None if this tensor is not a view.
    """

    __slots__ = ("_array", "_grad_fn", "_output_nr", "_version_counter", "_view", "__weakref__")

    # Few tensors set these attributes, so the class holds the defaults. A value that is set goes into the dict `_attributes` of the
    # tensor. Attributes that a program adds go there too, and `__dict__` shows only those.
    _requires_grad: bool = False
    _grad: Tensor | None = None
    _retains_grad: bool = False
    _accumulator: Any = None
    _backward_hooks: dict[int, Any] | None = None
    _post_accumulate_grad_hooks: dict[int, Any] | None = None

    # -- making tensors from arrays, inside the engine

    @staticmethod
    def _wrap(array: Any) -> Tensor:
        """Return a new tensor around `array`, which may be a NumPy scalar, without a `grad_fn`."""
        t = object.__new__(Tensor)
        t._array = array if array.__class__ is ndarray or not isinstance(array, np.generic) else np.asarray(array)
        t._grad_fn, t._output_nr, t._view = None, 0, None
        t._version_counter = extensions.no_version if states.inference and mode.inference else None
        return t

    def _alias(self) -> Tensor:
        """Return a second tensor with the same memory and version counter, without a `grad_fn`."""
        t = Tensor._wrap(self._array)
        t._version_counter = self._shared_version()
        return t

    # -- version

    @property
    def _version(self) -> int:
        """Return the number of in-place operations on this tensor's memory. Raise RuntimeError for an inference tensor."""
        return 0 if self._version_counter is None else self._version_counter.read()

    def _shared_version(self) -> VersionCounter:
        """Return the version counter, which another tensor on this memory will share. Create it if it does not exist."""
        self._version_counter = self._version_counter or VersionCounter()
        return self._version_counter

    def _bump_version(self) -> None:
        """Raise the version by 1 after a change of the values."""
        self._shared_version().bump()

    # -- the node in the graph

    @property
    def requires_grad(self) -> bool:
        """Return whether gradients flow to or through this tensor."""
        return self._grad_fn is not None or self._requires_grad or bool(self._view and self._view.base.requires_grad)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        """Set whether a leaf requires a gradient.

        Raises:
            RuntimeError: the tensor is not a leaf, or `value` is true and the tensor is not floating-point.
        """
        if self.grad_fn is not None:
            raise RuntimeError("you can only change requires_grad flags of leaf variables." if value else ONLY_LEAVES)
        if value and self._array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        self._requires_grad = bool(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` and return this tensor. On a tensor that is not a leaf, True has no effect, and False raises RuntimeError."""
        if not (requires_grad and self.grad_fn is not None):
            self.requires_grad = requires_grad
        return self

    @property
    def grad_fn(self) -> Node | None:
        """Return the node that computed this tensor; None for a leaf. Raise RuntimeError for a view if `View.refresh` does."""
        if self._view is not None:
            self._view.refresh(self)
        return self._grad_fn

    @property
    def is_leaf(self) -> bool:
        """Return whether this tensor has no `grad_fn`."""
        return self.grad_fn is None

    def detach(self) -> Tensor:
        """Return a tensor with the same memory and version counter, without a `grad_fn`."""
        return self._alias()

    @property
    def data(self) -> Tensor:
        """Return a detached tensor on the same memory. Autograd does not notice its changes: it has a separate version counter."""
        return Tensor._wrap(self._array)

    @data.setter
    def data(self, value: Tensor) -> None:
        """Let this tensor use the memory of `value`, without recording an operation."""
        self._array = value._array

    @property
    def _base(self) -> Tensor | None:
        """Return the base of this view, the tensor that owns the memory; None if this tensor is not a view."""
        return None if self._view is None else self._view.base

    # -- the gradient

    @property
    def grad(self) -> Tensor | None:
        """Return the gradient, to which each backward pass adds, or None. Warn if passes do not store it, as for most non-leaves."""
        if self._grad is None and not self._retains_grad and self._grad_fn is not None:
            warnings.warn(NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        """Set the gradient, or remove it with None. Raise RuntimeError if its shape is not that of this tensor."""
        if value is not None:
            self._check_grad(value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        """Remove the gradient."""
        self._grad = None

    def _check_grad(self, value: Tensor) -> None:
        """Raise RuntimeError if `value` cannot be the gradient, because its shape is not that of this tensor."""
        if value.shape != self.shape:
            raise RuntimeError(OTHER_SIZE.format(list(value.shape), list(self.shape)))

    @property
    def retains_grad(self) -> bool:
        """Return whether backward passes add the gradient of this non-leaf tensor to `.grad`."""
        return self._retains_grad

    def retain_grad(self) -> None:
        """Let backward passes add the gradient of this non-leaf tensor to `.grad`. On a leaf, this call does nothing.

        Raises:
            RuntimeError: the tensor does not require grad.
        """
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._retains_grad or self.is_leaf:
            return
        self._retains_grad = True
        reference = weakref.ref(self)  # the node must not keep the tensor alive

        def retain(grad: Tensor) -> None:
            tensor = reference()
            if tensor is not None:
                tensor._grad = grad.clone() if tensor._grad is None else tensor._grad + grad

        node, output_nr = gradient_edge(self)
        node.has_hooks = True
        node.retain_grad_hooks = {**(node.retain_grad_hooks or {}), output_nr: retain}

    def register_hook(self, hook: Any) -> RemovableHandle:
        """Register `hook(grad)` to be called when the gradient of this tensor is complete. A tensor that `hook` returns replaces `grad`.

        Raises:
            RuntimeError: the tensor does not require grad.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            node, output_nr = gradient_edge(self)
            return node.add_tensor_hook(output_nr, hook)
        accumulator_of(self).has_hooks = True
        return register(self._attributes, "_backward_hooks", hook)

    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """Register `hook(tensor) -> None` to be called each time after a backward pass has added to the `.grad` of this leaf.

        Raises:
            RuntimeError: the tensor does not require grad, or is not a leaf.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return register(self._attributes, "_post_accumulate_grad_hooks", hook)

    # -- NumPy and Python

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """Return the values as a NumPy array on the same memory.

        Raises:
            RuntimeError: the tensor requires grad, recording is on, and `force` is False.
        """
        if mode.enabled and self.requires_grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self._array

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return repr_of(self)


Tensor.__module__ = "torch"
