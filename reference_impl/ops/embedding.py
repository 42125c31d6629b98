"""Embeddings: rows of a table of weights by their indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.declare import operation
from reference_impl.core.modes import no_grad
from reference_impl.core.tensor import Tensor
from reference_impl.ops.indexing import add_at
from reference_impl.ops.registry import functions, op

SPARSE = "PyTorch has sparse gradients of embeddings; reference_impl, which runs here, does not"


def _check_indices(name: str, i: Any, size: int, number: int = 1) -> None:
    """Check the dtype and the range of the indices `i` into a table of `size` rows.

    Args:
        name, number: the function and the number of its argument, for errors.

    Raises:
        RuntimeError: the indices are not int64 or int32.
        IndexError: an index is out of range.
    """
    if i.dtype not in (np.int64, np.int32):
        kind = _dtype.from_numpy(i.dtype).tensor_type
        raise RuntimeError(
            f"Expected tensor for argument #{number} 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{kind}Tensor instead (while checking arguments for {name})"
        )
    if i.size and bool(np.any((i < 0) | (i >= size))):
        raise IndexError("index out of range in self")


@operation("EmbeddingBackward0", without_gradient=["indices"],
           weight=lambda g, indices, padding_idx, scale_grad_by_freq, sparse, weight_sym_argsize_0:
           embedding_dense_backward(g, indices, weight_sym_argsize_0, padding_idx, scale_grad_by_freq))  # fmt: skip
def _embedding(
    weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool, sparse: bool, weight_sym_argsize_0: int
) -> Any:
    return np.take(weight, indices, axis=0)


@operation("EmbeddingDenseBackwardBackward0", without_gradient=["indices"],
           grad_output=lambda g, indices, padding_idx: _rows_of_gradient(g, indices, padding_idx))  # fmt: skip
def embedding_dense_backward(
    grad_output: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """`grad_output` added up at the rows `indices` of a table

    Return a table (num_weights, dim), the gradient of the weight. The row `padding_idx` stays 0. With `scale_grad_by_freq`, each row is
    divided by the number of times that its index occurs in `indices`.
    """
    rows, width = np.reshape(indices, (-1,)), grad_output.shape[-1]
    table = np.zeros_like(grad_output, shape=(num_weights, width))
    g = np.reshape(grad_output, (-1, width))
    used = rows != padding_idx
    rows, g = rows[used], g[used]
    if scale_grad_by_freq and rows.size:
        g = g / np.bincount(rows, minlength=num_weights)[rows][:, None].astype(g.dtype)
    if g.size:
        add_at(table, (rows,), g)
    return table


def _rows_of_gradient(g: Tensor, indices: Tensor, padding_idx: int) -> Tensor:
    """Return g[indices], with 0 where an index is `padding_idx`: (num, dim) and (*) -> (*, dim). A negative `padding_idx` has no effect."""
    rows = g.index_select(0, indices.reshape(-1))
    if padding_idx >= 0:
        rows = rows.masked_fill((indices == padding_idx).reshape(-1, 1), 0)
    return rows.view(*indices.shape, g.shape[1])


@op("function", name="embedding")
def table_lookup(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """Return the rows `indices` of `weight`: (num, dim) and (*) -> (*, dim).

    Args:
        padding_idx: the row that receives no gradient; -1 for none.
        scale_grad_by_freq: see `embedding`.

    Raises:
        RuntimeError: `weight` is not a matrix, or `indices` are not int64 or int32.
        IndexError: an index is out of range.
        NotImplementedError: `sparse` is True.
    """
    if weight._array.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    _check_indices("embedding", indices._array, weight._array.shape[0])
    if sparse:
        raise NotImplementedError(SPARSE)
    return _embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse, weight._array.shape[0])


@op("function")
def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """Scale the rows `indices` of `input`, (num, dim), in place, so that the norm of each is at most `max_norm`.

    Rows whose norm is at most `max_norm` already are not changed.

    Args:
        norm_type: the p of the norm.

    Raises:
        RuntimeError: `indices` are not int64 or int32.
        IndexError: an index is out of range.
    """
    _check_indices("embedding_renorm_", indices._array, input._array.shape[0], 2)
    rows = Tensor._wrap(np.unique(indices._array).astype(np.int64))
    with no_grad():
        chosen = input.index_select(0, rows)
        norms = chosen.norm(norm_type, 1, keepdim=True)
        scaled = chosen * (max_norm / (norms + 1e-7))
        return input.index_put_((rows,), scaled.where(norms > max_norm, chosen))


def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:  # fmt: skip
    """Return the rows `input` of `weight`: (*) and (num, dim) -> (*, dim).

    Args:
        padding_idx: the row that receives no gradient.
        max_norm: largest allowed norm: used rows of `weight` with a larger norm are first scaled down in place.
        norm_type: the p of the norm.
        scale_grad_by_freq: whether to divide the gradient of a row by the number of its occurrences in `input`.
        sparse: not supported; must be False.

    Raises:
        AssertionError: `padding_idx` is not a row of `weight`.
        RuntimeError, IndexError, NotImplementedError: see `table_lookup`.
    """
    if padding_idx is not None:
        count = weight.size(0)
        if not -count <= padding_idx < count:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx += count if padding_idx < 0 else 0
    if max_norm is not None:
        embedding_renorm_(weight.detach(), input.contiguous(), max_norm, norm_type)
    return functions["embedding"](weight, input, -1 if padding_idx is None else padding_idx, scale_grad_by_freq, sparse)
