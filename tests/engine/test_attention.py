"""`scaled_dot_product_attention` has torch's values, gradients, graph and errors, beyond the samples of op_db.

Shapes, strides, masks and dropout decide whether torch runs one fused operation or several steps; the graph shows
which.
"""

from __future__ import annotations

import pytest

from tests.engine.expressions import check_same_on_both

SETUP = """
def r(*sizes, dtype=torch.float64):
    return torch.arange(float(np.prod(sizes)), dtype=torch.float64).mul(0.7).sin().reshape(sizes).to(dtype).requires_grad_()

def graph(node):
    return node and (node.name(), *[graph(source) for source, _ in node.next_functions])

def attention(query, key, value, *args, **options):
    torch.manual_seed(0)
    out = F.scaled_dot_product_attention(query, key, value, *args, **options)
    gradients = torch.autograd.grad(out.sin().sum(), (query, key, value), retain_graph=True)
    rounded = [g.mul(1e9).round().div(1e9).add(0.0) for g in gradients]  # some gradients are 0 up to rounding errors
    return out, rounded, graph(out.grad_fn)

heads, keys, rows, columns = r(2, 4, 3, 8), r(2, 4, 6, 8), r(2, 3, 8), r(2, 6, 8)
mask = torch.tensor([[True] * 6, [False] * 6, [True, False] * 3])
"""

CALLS = """
attention(heads, keys, keys)
attention(heads, keys, keys, is_causal=True)
attention(keys, heads, heads, is_causal=True)
attention(heads, keys, keys, mask)
attention(heads, keys, keys, mask[:1])
attention(heads, keys, keys, mask[:, :1])
attention(heads, keys, keys, mask[None, None])
attention(heads, keys, keys, mask[None])
attention(heads, keys, keys, r(3, 6).detach())
attention(heads, keys, keys, r(2, 1, 3, 6).detach())
attention(heads, keys, keys, r(3, 6))
attention(heads, keys, keys, r(3, 6), 0.5)
attention(heads, keys, keys, None, 1.0)
attention(heads, keys, keys, scale=0.5)
attention(heads, keys, keys, scale=-0.5)
attention(heads, keys, keys, scale=0.0)
attention(heads, keys, r(2, 4, 6, 5))
attention(heads, r(2, 1, 6, 8), r(2, 1, 6, 8))
attention(heads, r(1, 4, 6, 8), r(1, 4, 6, 8))
attention(heads, r(2, 2, 6, 8), r(2, 2, 6, 8), enable_gqa=True)
attention(heads, r(2, 2, 6, 8), keys, enable_gqa=True)
attention(heads, r(2, 2, 6, 8), r(2, 2, 6, 5), mask, enable_gqa=True)
attention(r(2, 8, 3).transpose(1, 2), columns, columns)
attention(r(1, 2, 8, 3).transpose(2, 3), r(1, 2, 3, 8), r(1, 2, 3, 8))
attention(*[r(1, 5, 2, 3).transpose(1, 2) for _ in range(3)])
attention(r(1, 2, 3, 1), r(1, 2, 3, 1), r(1, 2, 3, 1))
attention(rows, columns, columns)
attention(rows, columns, columns, is_causal=True)
attention(rows, columns, columns, mask)
attention(rows, columns, columns, scale=-2.0)
attention(rows, columns, columns, None, 0.5)
attention(rows[0], columns[0], columns[0])
attention(r(4, 3, 8), columns, columns, enable_gqa=True)
attention(rows, columns, columns, enable_gqa=True)
attention(r(1, 2, 2, 3, 4), r(1, 2, 2, 5, 4), r(1, 2, 2, 5, 4))
attention(r(2, 4, 0, 8), keys, keys)
attention(heads, r(2, 4, 0, 8), r(2, 4, 0, 8))
attention(rows, columns, r(2, 6, 0))
attention(r(2, 3, 0), r(2, 6, 0), columns)
attention(r(0, 2, 3, 8), r(0, 2, 3, 8), r(0, 2, 3, 8))
attention(heads, keys, keys, mask, is_causal=True)
attention(heads, keys, keys, mask.float())
attention(rows, columns, columns, mask.float())
F.scaled_dot_product_attention(rows, columns, columns, mask, is_causal=True)
F.scaled_dot_product_attention(r(3), r(3), r(3))
F.scaled_dot_product_attention(rows, columns, r(3))
F.scaled_dot_product_attention(heads, keys.float(), keys)
F.scaled_dot_product_attention(rows, columns, columns.float())
F.scaled_dot_product_attention(heads, keys, keys, torch.zeros(3, 6).long())
F.scaled_dot_product_attention(heads, keys, keys, torch.zeros(3, 6))
F.scaled_dot_product_attention(heads, keys, keys, torch.zeros(3, 5).double())
F.scaled_dot_product_attention(rows, columns, columns, torch.zeros(3, 5).double())
F.scaled_dot_product_attention(rows, columns, columns, torch.zeros(4, 3, 6).double())
F.scaled_dot_product_attention(heads, keys, keys, torch.zeros(6).double())
F.scaled_dot_product_attention(heads, r(2, 4, 6, 7), keys)
F.scaled_dot_product_attention(rows, r(2, 6, 7), columns)
F.scaled_dot_product_attention(rows, columns, r(2, 5, 8))
F.scaled_dot_product_attention(heads, r(2, 2, 6, 8), r(2, 2, 6, 8))
F.scaled_dot_product_attention(heads, r(3, 4, 6, 8), r(3, 4, 6, 8))
F.scaled_dot_product_attention(heads, r(2, 3, 6, 8), r(2, 3, 6, 8), enable_gqa=True)
F.scaled_dot_product_attention(rows[0], columns[0], columns[0], enable_gqa=True)
F.scaled_dot_product_attention(*[torch.ones(2, 3, 8).long()] * 3)
F.scaled_dot_product_attention(*[torch.ones(1, 2, 3, 8).long()] * 3)
F.scaled_dot_product_attention(heads, keys, keys, None, 2.0)
F.scaled_dot_product_attention(heads, keys, keys, None, -1.0)
F.scaled_dot_product_attention(rows, columns, columns, None, -1.0)
F.scaled_dot_product_attention(heads, keys)
F.scaled_dot_product_attention(1, 2, 3)
F.scaled_dot_product_attention(heads, keys, keys, True)
F.scaled_dot_product_attention(heads, keys, keys, scale="a")
F.scaled_dot_product_attention(heads, keys, keys, None, "a")
F.scaled_dot_product_attention(heads, keys, keys, None, 0.0, False, 1.0)
F.scaled_dot_product_attention(heads, keys, keys, mask=None)
F.scaled_dot_product_attention(heads, keys, keys, scale=torch.tensor(2.0)).shape
F.scaled_dot_product_attention(heads.detach(), keys.detach(), keys.detach(), r(3, 6)).grad_fn.name()
m = r(3, 6); torch.autograd.grad(F.scaled_dot_product_attention(heads, keys, keys, m).sin().sum(), m)
node = attention(heads, keys, keys)[0].grad_fn; [name for name in dir(node) if name.startswith("_saved")]
node = F.scaled_dot_product_attention(heads, keys, keys, mask).grad_fn; node._saved_scale, node._saved_dropout_p, node._saved_is_causal, node._saved_attn_mask, node._saved_logsumexp
g = torch.autograd.grad(attention(heads, keys, keys)[0].sum(), heads, create_graph=True)[0]; g, graph(g.grad_fn)
g = torch.autograd.grad(attention(heads, keys, keys)[0].sum(), heads, create_graph=True)[0]; g.sum().backward()
g = torch.autograd.grad(attention(rows, columns, columns)[0].sum(), rows, create_graph=True)[0]; g, torch.autograd.grad(g.sum(), columns)
""".strip().splitlines()


@pytest.mark.parametrize("call", CALLS)
def test_attention_agrees_with_torch(call: str) -> None:
    check_same_on_both(SETUP + call)


def test_float16_is_accumulated_in_float32() -> None:
    tensor = "r(2, 3, 64, dtype=torch.float16)"
    check_same_on_both(f"{SETUP}out = F.scaled_dot_product_attention(*[{tensor}] * 3); out.dtype, graph(out.grad_fn)")
    check_same_on_both(f"{SETUP}x = {tensor}[None]; F.scaled_dot_product_attention(x, x, x).grad_fn.name()")
