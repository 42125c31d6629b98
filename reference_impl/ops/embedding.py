"""Rows of a table by their numbers: embedding, and one_hot, the other way to write a number."""

from __future__ import annotations

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.registry import builtin


class EmbeddingBackward0(Node):
    """out[*] = weight[indices[*]]:  a row receives the sum over the places where it was taken to.

    The row `padding_idx` receives nothing; with `scale_grad_by_freq` each row's sum is divided by the number of places.
    """

    saved_names = ("indices",)
    weight_sym_argsize_0: int
    padding_idx: int
    scale_grad_by_freq: bool
    sparse: bool

    def grad_weight(self, g: Tensor) -> Tensor:
        return embedding_dense_backward(
            g, self._saved_indices, self.weight_sym_argsize_0, self.padding_idx, self.scale_grad_by_freq
        )


class EmbeddingDenseBackwardBackward0(Node):
    """Adding rows up is linear: its gradient is taken from the rows."""

    saved_names = ("indices",)
    padding_idx: int

    def grad_grad_output(self, g: Tensor) -> Tensor:
        taken = embedding_lookup(g, self._saved_indices)
        if self.padding_idx < 0:
            return taken
        return taken.masked_fill((self._saved_indices == self.padding_idx).unsqueeze(-1), 0)


def embedding_dense_backward(
    grad: Tensor, indices: Tensor, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Tensor:
    """The rows of `grad` added up by `indices` to (num_weights, embedding_dim)."""
    g, i = grad._array, indices._array.reshape(-1)
    rows = g.reshape(i.size, g.shape[-1])
    if padding_idx >= 0:
        kept = i != padding_idx
        i, rows = i[kept], rows[kept]
    out = np.zeros_like(g, shape=(num_weights, g.shape[-1]))
    if scale_grad_by_freq and i.size:
        counts = np.bincount(i, minlength=num_weights)
        rows = rows / counts[i][:, None].astype(g.dtype)
    np.add.at(out, i, rows)
    return record(EmbeddingDenseBackwardBackward0, out, (grad,), (indices,), padding_idx=padding_idx)


def embedding_lookup(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """`torch.embedding(weight, indices, ...)`: the rows of `weight` named by `indices`.

    Raises:
        RuntimeError: `weight` is not two-dimensional, or `indices` are no integers.
        IndexError: an index is out of range.
    """
    w, i = weight._array, indices._array
    if w.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if i.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{indices.type()} instead (while checking arguments for embedding)"
        )
    if i.size and (int(np.min(i)) < 0 or int(np.max(i)) >= w.shape[0]):
        raise IndexError("index out of range in self")
    return record(
        EmbeddingBackward0,
        np.take(w, i, axis=0),
        (weight,),
        (indices,),
        weight_sym_argsize_0=w.shape[0],
        padding_idx=padding_idx,
        scale_grad_by_freq=scale_grad_by_freq,
        sparse=sparse,
    )


def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:  # fmt: skip
    """The rows of `weight` named by `input`: (*) and (num_embeddings, embedding_dim) -> (*, embedding_dim).

    Args:
        padding_idx: this row receives no gradient.
        max_norm: rows that are used are first scaled down, in place, to at most this norm.

    Raises:
        NotImplementedError: `sparse`: sparse gradients are out of the scope of this engine.
    """
    if sparse:
        raise NotImplementedError("embedding(sparse=True): sparse gradients are out of the scope of reference_impl")
    if weight._array.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    rows = weight._array.shape[0]
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx = padding_idx % rows
    if max_norm is not None:
        renormalize(weight, input, max_norm, norm_type)
    return embedding_lookup(weight, input, -1 if padding_idx is None else padding_idx, scale_grad_by_freq, sparse)


def renormalize(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    """Scale the rows that `indices` name down to `max_norm`, in place and outside the graph."""
    used = np.unique(indices._array)
    rows = weight._array[used]
    norms = np.linalg.norm(rows, ord=norm_type, axis=1)
    too_long = norms > max_norm
    if too_long.any():
        factor = np.where(too_long, max_norm / (norms + 1e-7), 1).astype(rows.dtype)
        weight._array[used] = rows * factor[:, None]
        weight._bump_version()


@builtin
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Per class number a vector that is 1 there and 0 elsewhere: (*) -> (*, num_classes).

    Args:
        num_classes: one more than the largest number, unless given.

    Raises:
        RuntimeError: not int64, a negative number, or one beyond `num_classes`.
    """
    x = tensor._array
    if x.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not x.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return Tensor._wrap(np.zeros_like(x, shape=(*x.shape, num_classes)))
    if int(np.min(x)) < 0:
        raise RuntimeError("Class values must be non-negative.")
    largest = int(np.max(x))
    if num_classes == -1:
        num_classes = largest + 1
    elif num_classes < 1 or largest >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    classes = _backend.to_device_of(np.arange(num_classes), x)
    return Tensor._wrap((x[..., None] == classes).astype(np.int64))
