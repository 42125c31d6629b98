"""Scaled dot-product attention: for each query, a mean of the values, weighted by the softmax of the products of query and keys.

    weights = softmax(scale · query · keyᵀ + attn_mask),    out = weights · value

As in torch on the CPU, inputs (n, heads, length, size) are computed by a single operation with a single node
(ATen/native/cpu/FlashAttentionKernel.cpp). Other inputs are computed step by step, and each step has its node
(`_scaled_dot_product_attention_math` in ATen/native/transformers/attention.cpp).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._backend import contiguous
from reference_impl._layout import preserve_format
from reference_impl.core.node import Node
from reference_impl.core.operations.arithmetic import mul_number
from reference_impl.core.record import record_many
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import empty_as
from reference_impl.numerics.precision import exp, log
from reference_impl.ops.activation import safe_softmax
from reference_impl.ops.dropout import dropout
from reference_impl.ops.linalg import matmul
from reference_impl.ops.not_implemented import record_not_implemented
from reference_impl.ops.rearrangement import repeat_interleave
from reference_impl.ops.registry import builtin
from reference_impl.ops.views import transpose


@builtin
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, *, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """Return softmax(scale · query · keyᵀ + attn_mask) · value: (*, l, e), (*, s, e) and (*, s, v) -> (*, l, v).

    For a query that may use no key, the result is 0.

    Args:
        attn_mask: broadcasts to (*, l, s). A boolean mask is True where a query may use a key; another mask is added to the products.
        dropout_p: probability that a weight is set to 0; the others are divided by 1 - dropout_p.
        is_causal: whether query i uses only the keys 0 to i.
        scale: factor of the products; None stands for 1 / √e.
        enable_gqa: whether key and value may have fewer heads (dimension -3) than the query. Several heads of the query then share a
            head of key and value.

    Raises:
        RuntimeError: dtypes or shapes don't fit, or `dropout_p` is above 1; or a mask is passed with `is_causal`, and the attention is
            computed step by step.
    """
    _check(query, key, value, attn_mask)
    *queries, _ = query._array.shape
    if 0 in (*queries, key._array.shape[-2], value._array.shape[-1]):  # return zeros, but connect them to the graph
        zeros = Tensor._wrap(np.zeros_like(query._array, shape=(*queries, value._array.shape[-1])))
        return zeros + mul_number(query.sum() + key.sum() + value.sum(), 0)
    mask = _additive_mask(attn_mask, query._array.dtype)
    if _is_one_operation(query, key, value, attn_mask, dropout_p, enable_gqa):
        return _attention(query, key, value, mask, dropout_p, is_causal, scale)
    return _attention_by_steps(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa)


def _check(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None) -> None:
    """Raise RuntimeError if the dtypes of query, key and value differ, one has fewer than two dimensions, or the mask has a wrong dtype.

    The mask must be boolean, float32, or of the dtype of the query.
    """
    q, k, v = [t.dtype.c_name for t in (query, key, value)]
    if not q == k == v:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {q} key.dtype: {k} and value.dtype: "
            f"{v} instead."
        )
    dims = [t._array.ndim for t in (query, key, value)]
    if min(dims) < 2:
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {dims[0]} key.dim: {dims[1]} "
            f"and value.dim: {dims[2]} instead."
        )
    if attn_mask is not None and attn_mask.dtype.c_name not in ("bool", "float", q):
        raise RuntimeError(
            f"Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{attn_mask.dtype.c_name} and  query.dtype: {q} instead."
        )


def _is_one_operation(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float, enable_gqa: bool
) -> bool:
    """Return whether torch computes this attention by a single operation: `use_flash_attention_cpp` in ATen's sdp_utils_cpp.cpp.

    The condition is torch's except if key and value differ in length. Then torch ignores some keys, or reads beyond the last one. This
    function returns False instead, and the computation step by step raises an error.
    """
    q, k, v = [t._array.shape for t in (query, key, value)]
    if dropout_p > 0 or not len(q) == len(k) == len(v) == 4 or not q[0] == k[0] == v[0]:
        return False
    if k[1] != v[1] or (q[1] != k[1] and not (enable_gqa and q[1] % k[1] == 0)):
        return False
    if attn_mask is not None:
        sizes, largest = (attn_mask.size(-2), attn_mask.size(-1)), (*q[:3], k[2])
        sizes = attn_mask._array.shape if attn_mask._array.ndim == 4 else sizes
        fits = all([n in (1, m) for n, m in zip(reversed(sizes), reversed(largest), strict=False)])
        if attn_mask.requires_grad or attn_mask._array.ndim not in (2, 4) or not fits:
            return False
    if q[3] != k[3] or k[2:] != v[2:] or query._array.dtype.kind != "f":
        return False
    return all([t.stride(-1) == 1 for t in (query, key, value)])


def _additive_mask(attn_mask: Tensor | None, dtype: Any) -> Tensor | None:
    """Return the mask that is added to the scores: a boolean mask becomes 0 where it is True and -inf elsewhere.

    Another mask, and None, are returned unchanged.
    """
    if attn_mask is None or attn_mask._array.dtype.kind != "b":
        return attn_mask
    return Tensor._wrap(np.where(attn_mask._array, dtype.type(0), dtype.type(-np.inf)))


def _factor(query: Tensor, scale: float | None) -> float:
    size = query._array.shape[-1]
    return scale if scale is not None else 1 / math.sqrt(size) if size else math.inf


def _causal_mask(like: Any, queries: int, keys: int) -> Any:
    """Return a boolean matrix (queries, keys), on the device of the array `like`: True where the key's index <= the query's."""
    return np.tril(np.ones_like(like, bool, shape=(queries, keys)))


# -- attention as a single operation


class ScaledDotProductFlashAttentionForCpuBackward0(Node):
    """With P = softmax(scale query · keyᵀ + attn_mask) and dS = P · (g · valueᵀ - Σ g · output):  ∂query = scale dS · key,
    ∂key = scale dSᵀ · query,  ∂value = Pᵀ · g."""

    saved_names = ("attn_mask", "key", "query", "value", "logsumexp", "output")
    dropout_p: float
    is_causal: bool
    scale: float | None

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of query, key and value, or three times None if the result of the attention receives no gradient.

        As in torch, differentiating these gradients raises an error.
        """
        mask, key, query, value, logsumexp, output = [self.saved_value(i) for i in range(len(self.saved_names))]
        g = grads[0]
        if g is None:
            return (None, None, None)
        g_out, q, k, v, out = [_widen(t._array) for t in (g, query, key, value, output)]
        keys, values, factor = _repeat_heads(k, q), _repeat_heads(v, q), _factor(query, self.scale)
        weights = exp(_scores(q, keys, mask, self.is_causal, factor) - logsumexp._array[..., None])
        slope = np.matmul(g_out, np.swapaxes(values, -2, -1)) - np.sum(g_out * out, axis=-1, keepdims=True)
        to_scores = weights * slope * q.dtype.type(factor)
        to_query = np.matmul(to_scores, keys)
        to_key = _sum_shared_heads(np.matmul(np.swapaxes(to_scores, -2, -1), q), k)
        to_value = _sum_shared_heads(np.matmul(np.swapaxes(weights, -2, -1), g_out), v)
        arrays = [_copy_by_position(x, query._array.dtype) for x in (to_query, to_key, to_value)]
        name = "_scaled_dot_product_flash_attention_for_cpu_backward"
        return record_not_implemented(name, arrays, (g, query, key, value, output))


def _attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float, is_causal: bool,
    scale: float | None,
) -> Tensor:  # fmt: skip
    """Compute and record the attention as a single operation. The result is 0 for a query that may use no key.

    Raises:
        RuntimeError: `dropout_p` is not 0.
    """
    if dropout_p != 0:
        raise RuntimeError("scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0")
    q, k, v = [_widen(t._array) for t in (query, key, value)]
    scores = _scores(q, _repeat_heads(k, q), attn_mask, is_causal, _factor(query, scale))
    highest = np.max(scores, axis=-1, keepdims=True)
    highest = np.where(highest == -np.inf, q.dtype.type(0), highest)
    weights = exp(scores - highest)
    total = np.sum(weights, axis=-1, keepdims=True)
    total = np.where(total == 0, q.dtype.type(1), total)
    out = empty_as(query._array, preserve_format, query._array.dtype)
    np.copyto(out, np.matmul(weights, _repeat_heads(v, q)) / total, casting="same_kind")
    logsumexp = Tensor._wrap(_copy_by_position((highest + log(total))[..., 0], q.dtype))
    return record_many(
        ScaledDotProductFlashAttentionForCpuBackward0, (out, logsumexp._array), (query, key, value),
        (attn_mask, key, query, value, logsumexp, RESULT), (True, False),
        dropout_p=dropout_p, is_causal=is_causal, scale=scale,
    )[0]  # fmt: skip


def _scores(query: Any, key: Any, attn_mask: Tensor | None, is_causal: bool, factor: float) -> Any:
    """Return factor · query · keyᵀ + attn_mask. With `is_causal`, the result is -inf where the key comes after the query."""
    scores = np.matmul(query, np.swapaxes(key, -2, -1)) * query.dtype.type(factor)
    if is_causal:
        scores = np.where(_causal_mask(scores, *scores.shape[-2:]), scores, query.dtype.type(-np.inf))
    return scores if attn_mask is None else scores + attn_mask._array.astype(query.dtype)


def _widen(x: Any) -> Any:
    """Return a float16 array in float32, in which torch sums its products; return other arrays unchanged."""
    return x.astype(np.float32) if x.dtype.char == "e" else x


def _repeat_heads(x: Any, query: Any) -> Any:
    """Repeat the heads of a key or value `x`, (n, heads, ...), until it has as many as `query`: [a, b] -> [a, a, b, b]."""
    count = query.shape[1] // x.shape[1] if x.shape[1] else 1
    return x if count == 1 else np.repeat(x, count, axis=1)


def _sum_shared_heads(g: Any, x: Any) -> Any:
    """Return the gradient of the argument `x` of `_repeat_heads` from the gradient `g` of its result."""
    n, heads, *sizes = x.shape
    return g if g.shape == x.shape else np.sum(np.reshape(g, (n, heads, -1, *sizes)), axis=2)


def _copy_by_position(x: Any, dtype: Any) -> Any:
    """Return a copy of `x`, (n, heads, length, ...), in `dtype`, stored in the order (n, length, heads, ...), as in torch."""
    return np.swapaxes(contiguous(np.swapaxes(x.astype(dtype), 1, 2)), 1, 2)


# -- attention step by step


def _attention_by_steps(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float, is_causal: bool,
    scale: float | None, enable_gqa: bool,
) -> Tensor:  # fmt: skip
    """Compute the attention step by step, and record each step.

    Query and key are multiplied by √scale each, so that their products don't overflow.

    Raises:
        RuntimeError: there is a mask although `is_causal` is set, or `dropout_p` is above 1.
    """
    dtype, factor = query.dtype, _factor(query, scale)
    if dtype is _dtype.float16:
        query, key, value = [t.to(_dtype.float32) for t in (query, key, value)]
    root = math.sqrt(abs(factor))
    query = mul_number(query, -root if factor < 0 else root)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
        usable = _causal_mask(query._array, query._array.shape[-2], key._array.shape[-2])
        attn_mask = _additive_mask(Tensor._wrap(usable), query._array.dtype)
    if enable_gqa:
        key, value = _match_heads(query, key, value)
    scores = matmul(query, mul_number(transpose(key, -2, -1), root))
    if attn_mask is not None:
        scores.add_(attn_mask)
    weights = safe_softmax(scores, scores._array.ndim - 1)
    if dropout_p > 0:
        if dropout_p > 1:
            raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {dropout_p:g}")
        weights = dropout(weights, dropout_p)
    return matmul(weights, value).to(dtype)


def _match_heads(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Return key and value with repeated heads (dimension -3), so that each has as many as the query.

    Raises:
        RuntimeError: the number of heads of the query is not a multiple of those of key and value.
    """
    heads, *shared = [t.size(-3) for t in (query, key, value)]
    if any([heads % n for n in shared]):
        raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
    if shared == [heads, heads]:
        return key, value
    return repeat_interleave(key, heads // shared[0], -3), repeat_interleave(value, heads // shared[1], -3)
