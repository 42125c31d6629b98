"""Random programs of views and in-place operations: after every step, all tensors equal those of torch.

Values, shapes, strides, offsets, versions, nodes and errors are compared after every step, gradients and second gradients at the
end.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reference_impl
from reference_impl.core.views import flat_indices
from tests.engine.two_engines import TwoEngines, node_names

# A function in VIEWS takes an engine, a tensor and three random numbers, from which the functions below compute valid arguments.


def dim_of(x: Any, a: int) -> int:
    """Map the random number `a` to a dimension of `x`; return 0 if `x` has no dimensions."""
    return a % x.ndim if x.ndim else 0


def range_of(x: Any, a: int, b: int, c: int) -> tuple[int, slice]:
    """Map three random numbers to a dimension of `x` and a slice in it."""
    d = dim_of(x, a)
    n = x.shape[d]
    start = b % (n + 1)
    return d, slice(start, start + c % (n - start + 1), 1 + c % 2)


def take_slice(t: Any, x: Any, a: int, b: int, c: int) -> Any:
    """Return a slice of `x` in one dimension."""
    d, s = range_of(x, a, b, c)
    return x[(slice(None),) * d + (s,)]


def permutation_of(x: Any, a: int) -> list[int]:
    """Map the random number `a` to a permutation of the dimensions of `x`."""
    order, remaining = [], list(range(x.ndim))
    while remaining:
        order.append(remaining.pop(a % len(remaining)))
    return order


def two_sizes(n: int, a: int) -> list[int]:
    """Map the random number `a` to two sizes whose sum is `n`."""
    first = a % (n + 1)
    return [first, n - first]


VIEWS = {
    "select": lambda t, x, a, b, c: x.select(dim_of(x, a), b % max(x.shape[dim_of(x, a)], 1) if x.ndim else 0),
    "[i]": lambda t, x, a, b, c: x[a],
    "[..., i]": lambda t, x, a, b, c: x[..., b],
    "[slice]": take_slice,
    "narrow": lambda t, x, a, b, c: x.narrow(a, b, c),
    "transpose": lambda t, x, a, b, c: x.transpose(dim_of(x, a), dim_of(x, b)),
    "permute": lambda t, x, a, b, c: x.permute(permutation_of(x, a)),
    "t": lambda t, x, a, b, c: x.t(),
    "unsqueeze": lambda t, x, a, b, c: x.unsqueeze(a),
    "squeeze": lambda t, x, a, b, c: x.squeeze(),
    "squeeze(dim)": lambda t, x, a, b, c: x.squeeze(a),
    "expand": lambda t, x, a, b, c: x.expand(1 + a % 3, *[1 + b % 3 if n == 1 else -1 for n in x.shape]),
    "view": lambda t, x, a, b, c: x.view(-1) if a % 2 else x.view(x.shape[::-1]),
    "reshape": lambda t, x, a, b, c: x.reshape(-1),
    "flatten": lambda t, x, a, b, c: x.flatten(a % 2),
    "diagonal": lambda t, x, a, b, c: x.diagonal(c - 1, dim_of(x, a), dim_of(x, b)),
    "unfold": lambda t, x, a, b, c: x.unfold(dim_of(x, a), 1 + b % 3, 3),
    "as_strided": lambda t, x, a, b, c: x.as_strided((1 + a, 1 + b % 2), (2, 1), c % 3),
    "split": lambda t, x, a, b, c: x.split(1 + b % 2, dim_of(x, a)),
    "split(sizes)": lambda t, x, a, b, c: x.split(two_sizes(x.shape[dim_of(x, a)], b), dim_of(x, a)),
    "unbind": lambda t, x, a, b, c: x.unbind(dim_of(x, a)),
    "chunk": lambda t, x, a, b, c: x.chunk(1 + b % 3, dim_of(x, a)),
    "detach": lambda t, x, a, b, c: x.detach(),
    "movedim": lambda t, x, a, b, c: x.movedim(dim_of(x, a), dim_of(x, b)),
    "[...]": lambda t, x, a, b, c: x[...],
    "view_as": lambda t, x, a, b, c: x.view_as(x),
}  # fmt: skip

INPLACE = {
    "add_(number)": lambda t, x, y, a: x.add_(a + 0.5),
    "mul_(number)": lambda t, x, y, a: x.mul_(0.5 + a),
    "add_(tensor)": lambda t, x, y, a: x.add_(y),
    "mul_(tensor)": lambda t, x, y, a: x.mul_(y),
    "mul_(itself)": lambda t, x, y, a: x.mul_(x.detach()),
    "zero_": lambda t, x, y, a: x.zero_(),
    "fill_": lambda t, x, y, a: x.fill_(a),
    "copy_": lambda t, x, y, a: x.copy_(y),
    "sin_": lambda t, x, y, a: x.sin_(),
    "tanh_": lambda t, x, y, a: x.tanh_(),
    "[...] = number": lambda t, x, y, a: x.__setitem__(Ellipsis, a),
    "[0] = number": lambda t, x, y, a: x.__setitem__(0, a),
    "[0] = tensor": lambda t, x, y, a: x.__setitem__(0, y),
    "[:, 0] = number": lambda t, x, y, a: x.__setitem__((slice(None), 0), a),
    "[indices] = number": lambda t, x, y, a: x.__setitem__(t.tensor([0, 0]), a),
    "[mask] = number": lambda t, x, y, a: x.__setitem__(x > 0.3, a),
    "masked_fill_": lambda t, x, y, a: x.masked_fill_(x > 0.3, a),
    "t_": lambda t, x, y, a: x.t_(),
    "unsqueeze_": lambda t, x, y, a: x.unsqueeze_(a),
    "squeeze_": lambda t, x, y, a: x.squeeze_(),
    "transpose_": lambda t, x, y, a: x.transpose_(0, -1),
    "detach_": lambda t, x, y, a: x.detach_(),
    "requires_grad_": lambda t, x, y, a: x.requires_grad_(),
}  # fmt: skip

COPIES = {
    "* 2": lambda t, x, y, a: x * 2,
    "* tensor": lambda t, x, y, a: x * y,
    "sin": lambda t, x, y, a: x.sin(),
    "clone": lambda t, x, y, a: x.clone(),
    "sum": lambda t, x, y, a: x.sum(),
    "contiguous": lambda t, x, y, a: x.contiguous(),
    "cat": lambda t, x, y, a: t.cat([x, y]),
    "stack": lambda t, x, y, a: t.stack([x, x]),
}

number = st.integers(0, 3)
shapes = st.lists(st.integers(1, 4), max_size=3).map(tuple)
steps = st.one_of(
    st.tuples(st.just("view"), st.sampled_from(sorted(VIEWS)), number, st.integers(0, 20), number, number),
    st.tuples(
        st.just("inplace"),
        st.sampled_from(sorted(INPLACE)),
        number,
        st.integers(0, 20),
        st.integers(0, 20),
        st.booleans(),
    ),
    st.tuples(st.just("copy"), st.sampled_from(sorted(COPIES)), number, st.integers(0, 20), st.integers(0, 20), number),
)


def start(t: Any, shape: tuple[int, ...], kind: str) -> Any:
    """Return the first tensors of a program: a plain tensor, a leaf that requires grad, or such a leaf and a result of it."""
    size = 1
    for n in shape:
        size *= n
    x = (t.arange(size, dtype=t.float64) * 0.37 + 0.1).reshape(shape)
    if kind == "plain":
        return x
    leaf = x.clone().requires_grad_()
    return leaf if kind == "leaf" else (leaf, leaf * 1)


def test_the_example_in_the_docstring_of_flat_indices_is_right() -> None:
    base = reference_impl.zeros(2, 3)
    (indices,) = re.findall(r"^ *indices +(\S.*\]\])", flat_indices.__doc__ or "", re.M)
    assert flat_indices(base[:, 1:]._array, base._array).tolist() == ast.literal_eval(indices)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(shapes, st.sampled_from(["plain", "leaf", "result", "result"]), st.lists(steps, min_size=1, max_size=8))
def test_random_views_and_in_place_operations_agree_with_torch(
    shape: tuple[int, ...], kind: str, program: list[Any]
) -> None:
    engines = TwoEngines()
    engines.step(f"start with {shape}, {kind}", lambda t, tensors: start(t, shape, kind))
    for kind_of_step, name, a, tensor_choice, *rest in program:
        i = tensor_choice % len(engines.torch_tensors)
        if isinstance(node_names(engines.torch_tensors[i]), str):
            continue  # every use of a view with an invalid grad_fn raises the same error, with any arguments
        if kind_of_step == "view":
            b, c = rest
            engines.step(
                f"{len(engines.torch_tensors)} = {name}({a}, {b}, {c}) of {i}",
                lambda t, tensors, i=i, name=name, a=a, b=b, c=c: VIEWS[name](t, tensors[i], a, b, c),
            )
            continue
        j = rest[0] % len(engines.torch_tensors)
        if kind_of_step == "copy":
            engines.step(
                f"{len(engines.torch_tensors)} = {name} of {i}, {j}",
                lambda t, tensors, i=i, j=j, name=name, a=a: COPIES[name](t, tensors[i], tensors[j], a),
            )
        else:
            recording = rest[1]

            def change(
                t: Any, tensors: list[Any], i: int = i, j: int = j, name: str = name, a: int = a, on: bool = recording
            ) -> None:
                with t.set_grad_enabled(on):
                    INPLACE[name](t, tensors[i], tensors[j], a)

            engines.step(f"{name}({a}) on {i} with {j}{'' if recording else ', not recorded'}", change)
    nodes = [node_names(t) for t in engines.torch_tensors]
    leaves = [n for n, t in enumerate(engines.torch_tensors) if t.requires_grad and nodes[n] is None]
    for n, t in enumerate(engines.torch_tensors):
        if t.requires_grad and nodes[n] is not None and leaves:
            engines.compare_gradients(n, leaves)
