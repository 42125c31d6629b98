"""Attention: softmax(q · kᵀ) · v, and the projections around it that make it multi-headed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record_many
from reference_impl.ops.activation import softmax
from reference_impl.ops.dropout import dropout
from reference_impl.ops.not_implemented import NotImplementedBackward
from reference_impl.ops.registry import builtin


class ScaledDotProductFlashAttentionForCpuBackward0(Node):
    """out = P · value with P = softmax(scale · query · keyᵀ + mask).

    ∂value = Pᵀ · g;  with dP = g · valueᵀ and dS = P · (dP - Σ dP · P):  ∂query = scale · dS · key,  ∂key = scale · dSᵀ · query.
    """

    saved_names = ("query", "key", "value", "attn_mask", "output", "logsumexp")
    dropout_p: float
    is_causal: bool
    scale: float | None
    _factor: float

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g = grads[0]
        if g is None:
            return (None, None, None)
        tensors = self._saved_query, self._saved_key, self._saved_value
        q, k, v = [t._array for t in tensors]
        self.unpack(4)  # the output, for the check that nobody has changed it
        mask = _as_bias(_causal(q.shape[-2], k.shape[-2], q), q.dtype) if self.is_causal else self._saved_attn_mask
        p = np.exp(_scores(q, k, mask, self._factor) - self._saved_logsumexp._array[..., None])
        d_p = np.matmul(g._array, np.swapaxes(v, -2, -1))
        d_s = p * (d_p - np.sum(d_p * p, axis=-1, keepdims=True)) * q.dtype.type(self._factor)
        arrays = np.matmul(d_s, k), np.matmul(np.swapaxes(d_s, -2, -1), q), np.matmul(np.swapaxes(p, -2, -1), g._array)
        name = "_scaled_dot_product_flash_attention_for_cpu_backward"
        return record_many(NotImplementedBackward, arrays, (g, *tensors), operation=name)


def _scores(q: Any, k: Any, bias: Tensor | None, scale: float) -> Any:
    scores = np.matmul(q, np.swapaxes(k, -2, -1)) * q.dtype.type(scale)
    return scores if bias is None else scores + bias._array


def _weights(scores: Any) -> tuple[Any, Any]:
    """softmax(scores), 0 where everything is masked, and the logarithm of what it divides by: that of the sum of exp(scores)."""
    top = _backend.largest(scores, -1, True, -np.inf)
    top = np.where(np.isinf(top), scores.dtype.type(0), top)
    exps = np.exp(scores - top)
    total = np.sum(exps, axis=-1, keepdims=True)
    total = np.where(total == 0, scores.dtype.type(1), total)
    return exps / total, (top + np.log(total))[..., 0]


def _as_bias(mask: Tensor | None, dtype: Any) -> Tensor | None:
    """A boolean mask (True: takes part) as numbers to be added."""
    if mask is None or mask._array.dtype.kind != "b":
        return mask
    return Tensor._wrap(np.where(mask._array, dtype.type(0), dtype.type(-np.inf)))


def _causal(rows: int, columns: int, like: Any) -> Tensor:
    allowed = np.tril(np.ones_like(like, dtype=bool, shape=(rows, columns)))
    return Tensor._wrap(allowed)


@builtin
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """softmax(scale · query · keyᵀ + mask) · value: (*, l, e), (*, s, e) and (*, s, ev) -> (*, l, ev).

    Args:
        attn_mask: True where a pair takes part, or numbers to be added.
        is_causal: a position sees those before it and itself only.
        scale: 1 / √e, unless given.
        enable_gqa: several heads of the query share one of key and value.

    Raises:
        RuntimeError: a mask as well as `is_causal`, or sizes that don't fit.
    """
    q = query._array
    _check_attention(query, key, value, attn_mask, is_causal)
    if enable_gqa:
        heads = query.shape[-3]
        key = key.repeat_interleave(heads // key.shape[-3], -3)
        value = value.repeat_interleave(heads // value.shape[-3], -3)
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    mask = _causal(q.shape[-2], key.shape[-2], q) if is_causal else attn_mask
    bias = _as_bias(mask, q.dtype)
    four = all(t.ndim == 4 for t in (query, key, value))
    if four and dropout_p == 0 and not (bias is not None and bias.requires_grad) and q.size and key.numel():
        weights, logsumexp = _weights(_scores(q, key._array, bias, factor))
        return record_many(
            ScaledDotProductFlashAttentionForCpuBackward0,
            (np.matmul(weights, value._array), logsumexp),
            (query, key, value),
            (query, key, value, None if is_causal else bias, (RESULT, 0), (RESULT, 1)),
            (True, False),
            dropout_p=dropout_p,
            is_causal=is_causal,
            scale=scale,
            _factor=factor,
        )[0]
    return _attention_by_operations(query, key, value, bias, dropout_p, factor)


def _attention_by_operations(
    query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, dropout_p: float, scale: float
) -> Tensor:
    """The scale goes half to the query and half to the key, which keeps the product in range."""
    half = math.sqrt(abs(scale))
    left = query * (-half if scale < 0 else half)
    scores = left.matmul(key.transpose(-2, -1) * half)
    if bias is not None:
        scores = scores + bias
    weights = softmax(scores, -1)
    if bias is not None:
        nothing = np.all(np.isneginf(scores._array), axis=-1, keepdims=True)
        if bool(np.any(nothing)):
            weights = weights.masked_fill(Tensor._wrap(nothing), 0)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p, True)
    return weights.matmul(value)


def _check_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, is_causal: bool) -> None:
    if not query.dtype == key.dtype == value.dtype:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {query.dtype.c_name} key.dtype: "
            f"{key.dtype.c_name} and value.dtype: {value.dtype.c_name} instead."
        )
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim(): {query.ndim}, key.dim(): "
            f"{key.ndim} and value.dim(): {value.ndim} instead."
        )
    if mask is not None:
        if mask._array.dtype.kind != "b" and mask.dtype != query.dtype:
            raise RuntimeError(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
                f"{mask.dtype.c_name} and  query.dtype: {query.dtype.c_name} instead."
            )
        if is_causal:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
