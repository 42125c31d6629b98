"""Functions and properties that reorder dimensions by `permute` and `transpose`: movedim, `x.T`, `x.mT`, `x.H`, `x.mH`."""

from __future__ import annotations

from typing import Any

from reference_impl._settings import warn_user
from reference_impl.core.arrays import checked_dim
from reference_impl.core.tensor import Tensor
from reference_impl.ops.kernel_positions import as_integer
from reference_impl.ops.registry import add_methods, op
from reference_impl.ops.views import alias, permute, transpose


def _order_of_moves(ndim: int, source: Any, destination: Any) -> list[int]:
    src, dst = [[as_integer(d) for d in (v if isinstance(v, (tuple, list)) else (v,))] for v in (source, destination)]
    if len(src) != len(dst):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({src} dims) should contain the same number of dims as "
            f"destination ({dst} dims)"
        )
    a, b = [checked_dim(d, ndim) for d in src], [checked_dim(d, ndim) for d in dst]
    for name, dims, dims_of_argument in (("source", a, src), ("destination", b, dst)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({dims_of_argument})")
    if not ndim:
        return []
    order = [-1] * ndim
    for s, d in zip(a, b, strict=True):
        order[d] = s
    rest = iter(d for d in range(ndim) if d not in a)
    return [next(rest) if d == -1 else d for d in order]


@op("function", "method", aliases=("moveaxis",))
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Return a view with the dimensions `source` moved to the positions `destination`: (2, 3, 4) -> (3, 4, 2) for 0 and 2.

    The other dimensions keep their order.

    Raises:
        RuntimeError: `source` and `destination` differ in length, or one of them contains a dimension twice.
        IndexError: a dimension does not exist.
    """
    order = _order_of_moves(input._array.ndim, source, destination)
    return permute(input, order) if input._array.ndim else alias(input)


def warn_without_dimensions(name: str) -> None:
    """Emit torch's warning for a property of a 0-d tensor: `name` is "T", "mT", "H" or "mH"."""
    conjugate = name in ("mH", "H")
    advice = "Consider using x.conj()." if conjugate else "This function is the identity in these cases."
    warn_user(f"Tensor.{name} is deprecated on 0-D tensors. {advice}")


def _transposed_all(self: Tensor) -> Tensor:
    """Return a view with all dimensions in reverse order. Warn unless there are two."""
    n = self._array.ndim
    if not n:
        warn_without_dimensions("T")
    elif n != 2:
        warn_user(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an "
            "error in a future release. Consider `x.mT` to transpose batches of matrices or "
            "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor."
        )
    return permute(self, *range(n - 1, -1, -1))


def _transposed_matrices(name: str) -> property:
    def get(self: Tensor) -> Tensor:
        n = self._array.ndim
        if not n:
            warn_without_dimensions(name)
            return self
        if n < 2:
            raise RuntimeError(f"tensor.{name} is only supported on matrices or batches of matrices. Got {n}-D tensor.")
        return transpose(self, -2, -1)

    get.__doc__ = (
        "Return a view with the last two dimensions exchanged. Return a 0-d tensor itself, with a warning. "
        "For a vector, raise RuntimeError."
    )
    return property(get)


def _transposed_matrix(self: Tensor) -> Tensor:
    """Return a view of a matrix with rows and columns exchanged. Return a 0-d tensor itself, with a warning.

    Raises:
        RuntimeError: the tensor has one dimension, or more than two.
    """
    n = self._array.ndim
    if n not in (0, 2):
        advice = " For batches of matrices, consider using tensor.mH" if n > 2 else ""
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.{advice}")
    if n == 0:
        warn_without_dimensions("H")
        return self
    return transpose(self, 0, 1)


add_methods(
    T=property(_transposed_all), mT=_transposed_matrices("mT"), mH=_transposed_matrices("mH"),
    H=property(_transposed_matrix),
)  # fmt: skip
