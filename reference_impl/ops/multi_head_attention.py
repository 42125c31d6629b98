"""Multi-head attention: project query, key and value, attend in each head, put the heads together and project again."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.ops.activation import softmax
from reference_impl.ops.attention import scaled_dot_product_attention
from reference_impl.ops.dropout import dropout
from reference_impl.ops.joining import cat
from reference_impl.ops.linalg import bmm
from reference_impl.ops.linear import linear
from reference_impl.ops.padding import pad
from reference_impl.ops.registry import functions


class Masks(NamedTuple):
    """What is added to the scores, and whether it is the causal mask alone."""

    attention: Tensor | None
    padding: Tensor | None
    is_causal: bool


def as_added(
    mask: Tensor | None, name: str, other_dtype: Any, other_name: str, dtype: Any, check_other: bool = True
) -> Tensor | None:
    """A boolean mask (True: left out) as numbers to be added to the scores.

    Raises:
        AssertionError: a mask of integers.
    """
    if mask is None:
        return None
    if mask._array.dtype.kind not in "bf":
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if check_other and other_dtype is not None and mask.dtype != other_dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=4,
        )
    if mask._array.dtype.kind == "f":
        return mask
    return Tensor._wrap(np.where(mask._array, dtype.numpy.type(-np.inf), dtype.numpy.type(0)))


def _projected(query: Tensor, key: Tensor, value: Tensor, weight: Tensor, bias: Tensor | None) -> tuple[Tensor, ...]:
    """The three projections with one weight (3 e, e); in one product where the inputs are one tensor."""
    e = query.shape[-1]
    if key is value and query is key:
        packed = linear(query, weight, bias)
        packed = packed.unflatten(-1, (3, e)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return packed[0], packed[1], packed[2]
    if key is value:
        w_q, w_kv = weight.split([e, 2 * e])
        b_q, b_kv = (None, None) if bias is None else bias.split([e, 2 * e])
        q, packed = linear(query, w_q, b_q), linear(key, w_kv, b_kv)
        packed = packed.unflatten(-1, (2, e)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return q, packed[0], packed[1]
    weights = weight.chunk(3)
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return tuple([linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)])


def _check_separate(query: Tensor, key: Tensor, value: Tensor, weights: tuple[Any, ...]) -> None:
    e = query.shape[-1]
    for name, x, w in (("query", query, weights[0]), ("key", key, weights[1]), ("value", value, weights[2])):
        expected = (e, x.shape[-1])
        if tuple(w.shape) != expected:
            raise AssertionError(f"expecting {name} weights shape of {expected}, but got {w.shape}")


def _check_shapes(query: Tensor, key: Tensor, value: Tensor, padding: Any, mask: Any, heads: int) -> bool:
    """Whether there is a batch.

    Raises:
        AssertionError: dimensions that don't fit.
    """
    if query.ndim not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {query.ndim}-D query tensor"
        )
    batched = query.ndim == 3
    kind, n = ("batched (3-D)", 3) if batched else ("unbatched (2-D)", 2)
    if key.ndim != n or value.ndim != n:
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {n}-D but found {key.ndim}-D and {value.ndim}-D tensors "
            "respectively"
        )
    if padding is not None and padding.ndim != n - 1:
        raise AssertionError(
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D but found {padding.ndim}-D tensor instead"
        )
    if mask is not None and mask.ndim not in (2, 3):
        raise AssertionError(
            f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {mask.ndim}-D tensor instead"
        )
    if not batched and mask is not None and mask.ndim == 3:
        expected = (heads, query.shape[0], key.shape[0])
        if tuple(mask.shape) != expected:
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {mask.shape}")
    return batched


def _masks(query: Tensor, padding: Any, mask: Any, is_causal: bool, need_weights: bool) -> Masks:
    padding = as_added(padding, "key_padding_mask", None if mask is None else mask.dtype, "attn_mask", query.dtype)
    if is_causal and mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and padding is None and not need_weights:
        return Masks(None, None, True)
    mask = as_added(mask, "attn_mask", None, "", query.dtype, check_other=False)
    return Masks(mask, padding, is_causal and padding is None)


def _shaped_mask(mask: Tensor | None, target: int, source: int, batch_heads: int) -> Tensor | None:
    """(l, s) or (b h, l, s) with three dimensions."""
    if mask is None:
        return None
    if mask.ndim == 2:
        if tuple(mask.shape) != (target, source):
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be {(target, source)}.")
        return mask.unsqueeze(0)
    if mask.ndim == 3:
        if tuple(mask.shape) != (batch_heads, target, source):
            raise RuntimeError(
                f"The shape of the 3D attn_mask is {mask.shape}, but should be {(batch_heads, target, source)}."
            )
        return mask
    raise RuntimeError(f"attn_mask's dimension {mask.ndim} is not supported")


def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int, in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None, add_zero_attn: bool, dropout_p: float,
    out_proj_weight: Tensor, out_proj_bias: Tensor | None, training: bool = True, key_padding_mask: Tensor | None = None,
    need_weights: bool = True, attn_mask: Tensor | None = None, use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None, k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None, static_v: Tensor | None = None, average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """(l, b, e), (s, b, e) and (s, b, e) -> (l, b, e), and the weights (b, l, s) if they are needed.

    Args:
        bias_k, bias_v: one more key and value for all; add_zero_attn: and one of zeros.
        static_k, static_v: keys and values that are projected already.
        average_attn_weights: return the mean over the heads, not the weights of each.

    Raises:
        AssertionError, RuntimeError: sizes that don't fit.
    """
    batched = _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same, pair = query is key, key is value
        query = query.unsqueeze(1)
        key = query if same else key.unsqueeze(1)
        value = key if pair else value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    target, batch, e = query.shape
    masks = _masks(query, key_padding_mask, attn_mask, is_causal, need_weights)
    _check_sizes(e, embed_dim_to_check, num_heads, key, value, use_separate_proj_weight, in_proj_weight)
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        _check_separate(query, key, value, weights)
        biases = (None,) * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)]  # type: ignore[arg-type]
    else:
        assert in_proj_weight is not None
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    mask, padding = _shaped_mask(masks.attention, target, key.shape[0], batch * num_heads), masks.padding
    if bias_k is not None and bias_v is not None:
        k, v = cat([k, bias_k.repeat(1, batch, 1)]), cat([v, bias_v.repeat(1, batch, 1)])
        mask, padding = _one_wider(mask), _one_wider(padding)
    heads = batch * num_heads
    q = q.view(target, heads, e // num_heads).transpose(0, 1)
    k = _in_heads(k, static_k, heads, e // num_heads, "k")
    v = _in_heads(v, static_v, heads, e // num_heads, "v")
    if add_zero_attn:
        zeros = Tensor._wrap(np.zeros_like(k._array, shape=(heads, 1, e // num_heads)))
        k, v, mask, padding = cat([k, zeros], 1), cat([v, zeros], 1), _one_wider(mask), _one_wider(padding)
    mask = _with_padding(mask, padding, batch, num_heads, k.shape[1])
    probability = dropout_p if training else 0.0
    if not need_weights:
        out = _without_weights(q, k, v, mask, masks.is_causal, probability, batch, num_heads)
        out = linear(out, out_proj_weight, out_proj_bias).view(target, batch, -1)
        return out if batched else out.squeeze(1), None
    out, attention = _with_weights(q, k, v, mask, probability)
    out = linear(out.transpose(0, 1).reshape(target * batch, e), out_proj_weight, out_proj_bias)
    out = out.view(target, batch, out.shape[1])
    attention = attention.view(batch, num_heads, target, k.shape[1])
    if average_attn_weights:
        attention = attention.mean(1)
    return (out, attention) if batched else (out.squeeze(1), attention.squeeze(0))


def _check_sizes(e: int, expected: int, heads: int, key: Tensor, value: Tensor, separate: bool, weight: Any) -> None:
    if e != expected:
        raise AssertionError(f"was expecting embedding dimension of {expected}, but got {e}")
    if e // heads * heads != e:
        raise AssertionError(f"embed_dim {e} not divisible by num_heads {heads}")
    if separate and key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
    if not separate and key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
    if not separate and weight is None:
        raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")


def _one_wider(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else pad(mask, (0, 1))


def _in_heads(x: Tensor, static: Tensor | None, heads: int, width: int, name: str) -> Tensor:
    if static is None:
        return x.view(x.shape[0], heads, width).transpose(0, 1)
    if static.shape[0] != heads:
        raise AssertionError(f"expecting static_{name}.size(0) of {heads}, but got {static.shape[0]}")
    if static.shape[2] != width:
        raise AssertionError(f"expecting static_{name}.size(2) of {width}, but got {static.shape[2]}")
    return static


def _with_padding(mask: Any, padding: Tensor | None, batch: int, heads: int, source: int) -> Tensor | None:
    if padding is None:
        return mask
    for d, wanted in ((0, batch), (1, source)):
        if padding.shape[d] != wanted:
            raise AssertionError(f"Expected key_padded_mask.shape[{d}] to be {wanted}, but got {padding.shape[d]}")
    wide = padding.view(batch, 1, 1, source).expand(-1, heads, -1, -1).reshape(batch * heads, 1, source)
    return wide if mask is None else mask + wide


def _with_weights(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, probability: float) -> tuple[Tensor, Tensor]:
    scaled = q * math.sqrt(1.0 / float(q.shape[2]))
    columns = k.transpose(-2, -1)
    scores = bmm(scaled, columns) if mask is None else functions["baddbmm"](mask, scaled, columns)
    weights = softmax(scores, -1)
    if probability > 0.0:
        weights = dropout(weights, probability)
    return bmm(weights, v), weights


def _without_weights(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, is_causal: bool, probability: float, batch: int, heads: int
) -> Tensor:
    """(l · b, e), one row per step and sample."""
    source, width = k.shape[1], q.shape[2]
    if mask is not None:
        one = mask.shape[0] == 1 and mask.ndim == 3
        mask = mask.unsqueeze(0) if one else mask.view(batch, heads, -1, source)
    query, key, value = [x.view(batch, heads, -1, width) for x in (q, k, v)]
    out = scaled_dot_product_attention(query, key, value, mask, probability, is_causal)
    return out.permute(2, 0, 1, 3).reshape(-1, heads * width)
