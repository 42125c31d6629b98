"""Random programs of operations, views and in-place changes agree on torch and on the engine.

After each step the properties of every tensor are compared (`two_engines`): values, dtype, shape, strides, version, names of its node
and of the node's next functions. If a step raises an error, its type and text are compared. At the end, gradients and second
gradients are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.two_engines import Step, TwoEngines

Draw = Callable[..., Any]

SHAPES = [(), (3,), (2, 3), (3, 2), (1, 3), (2, 1), (2, 3, 2), (3, 3), (1,)]
DTYPES = ["float64", "float64", "float64", "float64", "float32", "int64", "bool"]
UNARY = ["sin", "cos", "tanh", "exp", "sigmoid", "neg", "abs", "square", "relu", "reciprocal", "sqrt", "log1p", "sign", "floor",
         "erf", "atan", "softmax0", "cumsum0", "clone", "detach", "contiguous", "expm1", "log_softmax0", "tril", "round", "trunc",
         "frac", "rsqrt", "log2", "sinh", "asinh", "logit", "cumprod0", "triu",
         "isnan", "logical_not", "double", "long", "float", "bool", "nan_to_num", "sgn", "positive", "flatten", "ravel",
         "fliplr", "zeros_like", "sort0", "argsort0"]  # fmt: skip
BINARY = ["add", "sub", "mul", "div", "maximum", "minimum", "pow2", "where", "eq", "lt", "cat", "stack",
          "lerp", "matmul", "addcmul", "fmod", "remainder", "addcdiv", "outer",
          "mm", "fmax", "clamp", "logical_and", "ge", "view_as", "expand_as",
          "type_as", "mse_loss", "add_alpha", "rsub", "where_number", "broadcast"]  # fmt: skip
REDUCTIONS = ["sum", "mean", "prod", "amax", "amin", "logsumexp", "var", "max", "std", "argmax", "norm", "min", "nansum",
              "nanmean", "all", "any", "argmin", "count_nonzero", "aminmax"]  # fmt: skip
VIEWS = ["t", "view", "reshape", "unsqueeze", "squeeze", "select", "slice", "step", "expand", "transpose", "flatten", "diagonal",
         "unbind", "chunk", "permute", "narrow", "unfold", "movedim", "split", "T", "mT", "squeeze_dim", "ellipsis",
         "as_strided", "unflatten", "tensor_split", "none_slice"]  # fmt: skip
INDEXING = ["rows", "mask", "none", "gather", "index_select", "pair", "masked_fill", "flip", "roll", "take", "masked_select",
            "scatter", "scatter_add", "index_add", "repeat", "repeat_interleave", "grid",
            "empty_rows", "mask_rows", "slice_and_rows", "rot90", "index_put", "true", "take_along_dim",
            "diag_embed", "tile", "pad"]  # fmt: skip
IN_PLACE = ["add_", "mul_", "sub_", "div_", "copy_", "zero_", "fill_", "exp_", "tanh_", "relu_", "setitem", "setslice", "masked_fill_",
            "neg_", "pow_", "unsqueeze_", "t_", "add_number_", "clamp_", "addcmul_", "lerp_",
            "sigmoid_", "cumsum_", "scatter_", "index_add_", "sqrt_", "transpose_", "squeeze_", "eq_",
            "setpair", "requires_grad_", "detach_", "tril_", "round_", "leaky_relu_",
            "mul_itself", "no_grad_add", "data_add"]  # fmt: skip


# Each function below returns a step of a program. `ts` are the tensors so far; `i` and `j` are the indices of the operands; `dim` and `k`
# are random numbers, from which views, indices and in-place operations compute their arguments.


def unary(name: str, i: int, dim: int) -> Step:
    """Return an operation of the tensor `ts[i]`. A 0 at the end of the name stands for the argument `dim`."""
    if name.endswith("0"):
        return lambda library, ts: getattr(ts[i], name[:-1])(dim)
    if name == "zeros_like":
        return lambda library, ts: library.zeros_like(ts[i])
    return lambda library, ts: getattr(ts[i], name)()


def binary(name: str, i: int, j: int) -> Step:
    """Return an operation of two tensors."""
    special: dict[str, Step] = {
        "pow2": lambda library, ts: ts[i] ** 2 + ts[j],
        "where": lambda library, ts: library.where(ts[i] > 0, ts[i], ts[j]),
        "cat": lambda library, ts: library.cat([ts[i], ts[j]]),
        "stack": lambda library, ts: library.stack([ts[i], ts[j]], -1),
        "addcmul": lambda library, ts: ts[i].addcmul(ts[j], ts[i], value=0.5),
        "addcdiv": lambda library, ts: ts[i].addcdiv(ts[j], ts[j], value=0.5),
        "lerp": lambda library, ts: ts[i].lerp(ts[j], 0.3),
        # torch's backward raises an error for some shapes if `max` is broadcast. The sum has the shape of the result.
        "clamp": lambda library, ts: ts[i].clamp(ts[j], ts[i] + ts[j]),
        "view_as": lambda library, ts: ts[i].view_as(ts[j]),
        "expand_as": lambda library, ts: ts[i].expand_as(ts[j]),
        "type_as": lambda library, ts: ts[i].type_as(ts[j]),
        "mse_loss": lambda library, ts: library.nn.functional.mse_loss(ts[i], ts[j]),
        "add_alpha": lambda library, ts: ts[i].add(ts[j], alpha=2),
        "where_number": lambda library, ts: library.where(ts[i] > ts[j], ts[i], 0.5),
        "broadcast": lambda library, ts: library.broadcast_tensors(ts[i], ts[j]),
    }
    return special.get(name) or (lambda library, ts: getattr(library, name)(ts[i], ts[j]))


def reduction(name: str, i: int, dim: int | None, keepdim: bool) -> Step:
    """Return a reduction of a dimension, or of all dimensions if `dim` is None."""

    def run(library: Any, ts: list[Any]) -> Any:
        arguments = () if dim is None else (dim,)
        keep = {"keepdim": keepdim} if dim is not None else {}
        if name == "aminmax":
            return ts[i].aminmax(dim=dim, keepdim=keepdim)
        result = getattr(ts[i], name)(*arguments, **({} if name == "count_nonzero" else keep))
        return result[0] if name == "max" and dim is not None else result

    return run


def view(name: str, i: int, dim: int, k: int) -> Step:
    """Return an operation whose result is usually a view."""
    programs: dict[str, Callable[[Any], Any]] = {
        "t": lambda x: x.t(), "view": lambda x: x.view(-1), "reshape": lambda x: x.reshape(k + 1, -1),
        "unsqueeze": lambda x: x.unsqueeze(dim), "squeeze": lambda x: x.squeeze(), "select": lambda x: x.select(dim, k),
        "slice": lambda x: x[k:], "step": lambda x: x[..., ::2], "expand": lambda x: x.expand(2, *x.shape),
        "transpose": lambda x: x.transpose(dim, -1), "flatten": lambda x: x.flatten(), "diagonal": lambda x: x.diagonal(),
        "unbind": lambda x: x.unbind(dim), "chunk": lambda x: x.chunk(2, dim), "permute": lambda x: x.permute(1, 0),
        "narrow": lambda x: x.narrow(dim, k, 1), "unfold": lambda x: x.unfold(dim, 2, k + 1),
        "movedim": lambda x: x.movedim(0, dim), "split": lambda x: x.split(k + 1, dim), "T": lambda x: x.T, "mT": lambda x: x.mT, "squeeze_dim": lambda x: x.squeeze(dim), "ellipsis": lambda x: x[..., k],
        "as_strided": lambda x: x.as_strided((2, 2), (1, k)), "unflatten": lambda x: x.unflatten(dim, (1, -1)),
        "tensor_split": lambda x: x.tensor_split(2, dim), "none_slice": lambda x: x[:, None, k:],
    }  # fmt: skip
    return lambda library, ts: programs[name](ts[i])


def indexing(name: str, i: int, dim: int, k: int) -> Step:
    """Return an operation that selects, moves or repeats elements."""
    programs: dict[str, Callable[[Any, Any], Any]] = {
        "rows": lambda t, x: x[[0, 1, 0]], "mask": lambda t, x: x[x > 0], "none": lambda t, x: x[None, ..., k],
        "gather": lambda t, x: x.gather(dim, t.zeros_like(x, dtype=t.int64)), "pair": lambda t, x: x[k, [1, 0]],
        "index_select": lambda t, x: x.index_select(dim, t.tensor([k, 0])),
        "masked_fill": lambda t, x: x.masked_fill(x > 0, 2), "flip": lambda t, x: x.flip(dim), "roll": lambda t, x: x.roll(k, dim),
        "take": lambda t, x: x.take(t.tensor([[0, k]])), "masked_select": lambda t, x: x.masked_select(x > 0.5),
        "scatter": lambda t, x: x.scatter(dim, t.zeros_like(x, dtype=t.int64), x * 2),
        "scatter_add": lambda t, x: x.scatter_add(dim, t.zeros_like(x, dtype=t.int64), x),
        "index_add": lambda t, x: x.index_add(dim, t.tensor([k, 0]), x.narrow(dim, 0, 2)),
        "repeat": lambda t, x: x.repeat(2, *[1] * x.ndim), "repeat_interleave": lambda t, x: x.repeat_interleave(2, dim),
        "grid": lambda t, x: x[t.tensor([[0], [1]]), t.tensor([0, k])], "empty_rows": lambda t, x: x[[]],
        "mask_rows": lambda t, x: x[t.tensor([True, False])], "slice_and_rows": lambda t, x: x[:, [0, k]],
        "rot90": lambda t, x: x.rot90(k),
        "index_put": lambda t, x: x.index_put((t.tensor([0, k]),), x[0], accumulate=bool(k)), "true": lambda t, x: x[True, ..., k],
        "take_along_dim": lambda t, x: x.take_along_dim(x.argsort(dim), dim), "diag_embed": lambda t, x: x.diag_embed(),
        "tile": lambda t, x: x.tile(2), "pad": lambda t, x: t.nn.functional.pad(x, (1, k)),
    }  # fmt: skip
    return lambda library, ts: programs[name](library, ts[i])


def in_place(name: str, i: int, j: int, dim: int, k: int) -> Step:
    """Return an in-place operation on tensor `i`."""

    def setitem(library: Any, x: Any, y: Any) -> None:
        x[k] = y

    def setslice(library: Any, x: Any, y: Any) -> None:
        x[..., k:] = 1.5

    def setpair(library: Any, x: Any, y: Any) -> None:
        x[k, [0, 1]] = y

    def no_grad_add(library: Any, x: Any, y: Any) -> Any:
        with library.no_grad():
            return x.add_(1)

    programs: dict[str, Callable[[Any, Any, Any], Any]] = {
        "setpair": setpair, "no_grad_add": no_grad_add,
        "data_add": lambda t, x, y: x.data.add_(1), "mul_itself": lambda t, x, y: x.mul_(x),
        "addcmul_": lambda t, x, y: x.addcmul_(y, y), "lerp_": lambda t, x, y: x.lerp_(y, 0.25),
        "cumsum_": lambda t, x, y: x.cumsum_(dim), "scatter_": lambda t, x, y: x.scatter_(dim, t.zeros_like(x, dtype=t.int64), 2),
        "index_add_": lambda t, x, y: x.index_add_(dim, t.tensor([k]), y),
        "transpose_": lambda t, x, y: x.transpose_(0, dim), "squeeze_": lambda t, x, y: x.squeeze_(dim),
        "eq_": lambda t, x, y: x.eq_(y), "tril_": lambda t, x, y: x.tril_(k),
        "requires_grad_": lambda t, x, y: x.requires_grad_(bool(k)),
        "leaky_relu_": lambda t, x, y: t.nn.functional.leaky_relu(x, 0.2, inplace=True),
        "setitem": setitem, "setslice": setslice, "fill_": lambda t, x, y: x.fill_(0.5),
        "masked_fill_": lambda t, x, y: x.masked_fill_(x > 0, 3), "pow_": lambda t, x, y: x.pow_(2),
        "clamp_": lambda t, x, y: x.clamp_(-1, 1), "unsqueeze_": lambda t, x, y: x.unsqueeze_(dim),
        "add_number_": lambda t, x, y: x.add_(1.5),
    }  # fmt: skip
    if name in programs:
        return lambda library, ts: programs[name](library, ts[i], ts[j])
    if name in ("add_", "mul_", "sub_", "div_", "copy_"):
        return lambda library, ts: getattr(ts[i], name)(ts[j])
    return lambda library, ts: getattr(ts[i], name)()


def draw_step(draw: Draw, count: int) -> tuple[str, Step]:
    """Draw a step on `count` tensors. Return its text, for messages, and the step."""
    i, j = draw(st.integers(0, count - 1)), draw(st.integers(0, count - 1))
    dim, k = draw(st.sampled_from([0, 0, -1, 1, 2])), draw(st.integers(0, 2))
    family = draw(
        st.sampled_from(["unary", "binary", "binary", "reduction", "view", "view", "indexing", "in_place", "in_place"])
    )
    if family == "unary":
        name = draw(st.sampled_from(UNARY))
        return f"{name}(x{i}, {dim})", unary(name, i, dim)
    if family == "binary":
        name = draw(st.sampled_from(BINARY))
        return f"{name}(x{i}, x{j})", binary(name, i, j)
    if family == "reduction":
        name, keepdim = draw(st.sampled_from(REDUCTIONS)), draw(st.booleans())
        reduced = draw(st.sampled_from([None, dim]))
        return f"{name}(x{i}, {reduced}, keepdim={keepdim})", reduction(name, i, reduced, keepdim)
    if family == "view":
        name = draw(st.sampled_from(VIEWS))
        return f"{name}(x{i}, dim={dim}, k={k})", view(name, i, dim, k)
    if family == "indexing":
        name = draw(st.sampled_from(INDEXING))
        return f"{name}(x{i}, dim={dim}, k={k})", indexing(name, i, dim, k)
    name = draw(st.sampled_from(IN_PLACE))
    return f"{name}(x{i}, x{j}, dim={dim}, k={k})", in_place(name, i, j, dim, k)


def leaf(shape: tuple[int, ...], dtype: str, number: int, layout: str, requires_grad: bool) -> Step:
    """Return the step that creates a leaf. Leaves of different `number` have different values."""

    def make(library: Any, ts: list[Any]) -> Any:
        count = 1
        for n in shape:
            count *= n
        values = (library.arange(count, dtype=library.float64) * 1.7 + number).sin() * 2
        if dtype in ("int64", "bool"):
            values = values.round()
        x = values.to(getattr(library, dtype)).reshape(shape)
        if layout == "transposed" and len(shape) > 1:
            x = x.transpose(0, -1).contiguous().transpose(0, -1)
        if layout == "strided" and shape:
            x = library.stack([x, x], -1)[..., 0]
        return x.detach().requires_grad_(requires_grad)

    return make


@st.composite
def programs(draw: Draw) -> list[tuple[str, Step]]:
    """Draw the steps that create the leaves of a program, each with its text. `draw_step` draws the steps that follow."""
    steps: list[tuple[str, Step]] = []
    for number in range(draw(st.integers(1, 3))):
        shape, dtype = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(DTYPES))
        layout = draw(st.sampled_from(["contiguous", "contiguous", "transposed", "strided"]))
        requires_grad = dtype.startswith("float") and draw(st.integers(0, 3)) > 0
        text = f"x{number} = leaf({shape}, {dtype}, {layout}, requires_grad={requires_grad})"
        steps.append((text, leaf(shape, dtype, number, layout, requires_grad)))
    return steps


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(leaves=programs(), data=st.data())
def test_a_random_program_gives_the_same_tensors_on_both_engines(leaves: list[tuple[str, Any]], data: Any) -> None:
    engines = TwoEngines()
    for text, make in leaves:
        engines.step(text, make)
    for _ in range(data.draw(st.integers(1, 8), "number of steps")):
        text, step = draw_step(data.draw, len(engines.engine_tensors))
        engines.step(text, step)
    leaf_numbers = [
        n for n in range(len(leaves)) if engines.torch_tensors[n].requires_grad and engines.torch_tensors[n].is_leaf
    ]
    last = len(engines.torch_tensors) - 1
    if leaf_numbers and engines.torch_tensors[last].requires_grad:
        engines.compare_gradients(last, leaf_numbers)
