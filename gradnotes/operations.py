"""Describe the operations of reference_impl: their names, whether their results are views, and their gradient rules.

    python -m gradnotes.operations    prints the descriptions as JSON

Each operation is called twice on small tensors: once contiguous, once transposed. `observe` also works with torch, so
that a test can compare reference_impl with torch.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import pkgutil
import re
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

FAMILIES = {
    "Creating tensors": "creation from_data ranges",
    "Random numbers": "random_creation dropout",
    "Element by element": "elementwise arithmetic division special fused clamping",
    "Comparison and logic": "comparison logical where",
    "Sums, extremes and statistics": "reduction reductions extremes statistics median cumulative histogram sorting sets",
    "Linear algebra": "linalg blas cross decompositions distance einsum norm tensordot linear attention",
    "Shape and order": "views as_strided inplace_views transposition rearrangement resizing shapes",
    "Joining and splitting": "joining pieces",
    "Selecting and writing elements": "slicing indexing selection scatter scatter_reduce filling index_fill embedding one_hot",
    "Activation functions": "activation rectifier smooth_activation exponential_linear functional",
    "Losses": "losses classification_losses probability_losses",
    "Normalization": "normalization batch_normalization",
    "Convolution, pooling and images": "convolution columns padding pooling average_pooling adaptive_pooling grid_sample interpolation",
    "Conversion and the graph": "conversion properties tensor _tensor",
}
"""Map each heading of the list of operations to the modules of reference_impl whose operations stand under it."""

_FAMILY_BY_MODULE = {module: family for family, modules in FAMILIES.items() for module in modules.split()}
_TENSOR_METHODS = ("detach", "detach_")  # operations in the modules `tensor` and `_tensor`
_PROPERTIES = ("conj", "conj_physical", "real", "detach_")  # operations in the module `properties`
# functions that are not described: helpers of other operations, and methods that compute nothing
_HIDDEN_FUNCTIONS = (
    "constant_pad_nd",
    "table_lookup",
    "diagonal_backward",
    "embedding_renorm_",
    "masked_select_backward",
    "unfold_backward",
    "new",
    "cuda",
    "is_contiguous",
)

_CALLS = """
    x.addcdiv(y, y)  x.addcmul(y, y)  x.addmm(y, y)  v.addmv(y, w)  batch.baddbmm(batch, batch)  torch.arange(3)
    x.as_strided((2, 2), (1, 2))  n.bincount()  n.bitwise_and(n)  n.bitwise_left_shift(n)  n.bitwise_not()
    n.bitwise_or(n)  n.bitwise_right_shift(n)  n.bitwise_xor(n)  batch.bmm(batch)  torch.broadcast_shapes((2, 1), (3,))
    v.broadcast_to((4, 4))  torch.broadcast_tensors(x, v)  x.chunk(2)  z.copy_(y)  triple.cross(triple, 0)
    batch.dsplit(2)  v.dot(w)  torch.einsum("ij,jk", x, y)  torch.empty_strided((2, 2), (2, 1))  v.expand(4, 4)  x.expand_as(batch)  z.exponential_()
    torch.fill(x, 0.5)  x.flip(0)  torch.from_numpy(array)  torch.full((2, 2), 0.5)  x.gather(0, index)  x.histogram(3)
    x.hsplit(2)  torch.linalg.cross(triple, triple)  x.index_add(0, rows, y)  x.index_fill(0, rows, 0.5)  x.index_put((rows,), y)  x.index_select(0, rows)  x.lerp(y, 0.5)
    torch.linspace(0, 1, 3)  torch.logspace(0, 1, 3)  x.masked_fill(mask, 0.0)  x.masked_scatter(mask, y)
    x.masked_select(mask)  torch.meshgrid(v, w)  x.movedim(0, 1)  x.multinomial(2)  x.mv(v)  x.narrow(0, 1, 2)
    x.new_empty(3)  x.new_empty_strided((2, 2), (2, 1))  x.new_full((2,), 0.5)  x.new_ones(3)  x.new_zeros(3)  torch.normal(x, y)  z.normal_()  v.outer(w)  torch.permute(x, (1, 0))  x.put(index, y)
    torch.randint(3, (2,))  torch.randint_like(x, 3)  z.random_(3)  x.repeat(2, 1)  x.repeat_interleave(2)  x.reshape(16)
    x.reshape_as(batch[0].reshape(2, 8))  x.detach().resize_(2, 2)  x.detach().resize_as_(n)  x.roll(1)
    x.scatter(0, index, y)  x.scatter_add(0, index, y)  x.scatter_reduce(0, index, y, "sum")  x.split(2)
    x.split_with_sizes((1, 3))  x.sum_to_size(1, 4)  x.take(index)  x.take_along_dim(index, 0)  x.tensor_split(2)
    torch.tensor([0.5])  x.tile(2, 1)  x.to(torch.float64)  x.topk(2)  torch.tril_indices(3, 3)  torch.triu_indices(3, 3)
    x.type_as(y)  x.unflatten(0, (2, 2))  x.unfold(0, 2, 1)  z.uniform_()  x.view(2, 8)  x.view_as(y)  x.vsplit(2)
    v.vdot(w)  torch.where(mask, x, y)  z.bernoulli_()  x.type("torch.DoubleTensor")  z.fill_(0.5)  z.zero_()
    F.adaptive_avg_pool1d(batch, 2)  F.adaptive_avg_pool2d(image, 2)  F.adaptive_avg_pool3d(volume, 2)
    F.affine_grid(theta, (1, 1, 4, 4))  F.alpha_dropout(x, training=True)  F.avg_pool1d(batch, 2)  F.avg_pool2d(image, 2)
    F.avg_pool3d(volume, 2)  F.batch_norm(x, None, None, training=True)  F.binary_cross_entropy(x, y.detach())
    F.binary_cross_entropy_with_logits(x, y.detach())  F.conv1d(batch, batch)  F.conv2d(image, kernel)
    F.conv3d(volume, volume)  F.conv_transpose1d(batch, batch)
    F.conv_transpose2d(image, kernel)  F.conv_transpose3d(volume, volume)
    F.cosine_similarity(x, y)  F.cross_entropy(x, rows)  F.embedding(rows, x)  F.grid_sample(image, grid, align_corners=True)
    F.group_norm(batch, 2)  F.instance_norm(batch)  F.kl_div(x, y.detach(), reduction="sum")  F.layer_norm(x, (4,))
    F.rms_norm(x, (4,))  F.linear(x, y, v)  F.max_pool1d(batch, 2)  F.max_pool2d(image, 2)  F.max_pool3d(volume, 2)
    F.nll_loss(x, rows)  F.one_hot(rows)  F.pad(x, (1, 1))  F.prelu(x, scalar)  F.softmax(x, 0)  F.softmin(x, 0)
    F.glu(x, 0)  F.threshold(x, 0.5, 0.0)  F.unfold(image, 2)  F.pairwise_distance(x, y)
    F.interpolate(image, scale_factor=2)
    F.scaled_dot_product_attention(image, image, image)
    F.mse_loss(x, y.detach())  F.l1_loss(x, y.detach())  F.smooth_l1_loss(x, y.detach())  F.huber_loss(x, y.detach())  F.gaussian_nll_loss(x, y, x)
    F.triplet_margin_loss(x, y, -x)  F.cosine_embedding_loss(x, y, x[:, 0].sign().detach())
    F.dropout(x)  F.dropout1d(batch)  F.dropout2d(image)  F.dropout3d(volume)  F.feature_alpha_dropout(image, training=True)
"""
"""A call of each operation that does not run with the arguments in _GUESSES. `make_inputs` returns the variables."""

_GUESSES = ("x", "x, y", "x, 0", "x, 0, 1", "(x, y)", "3")


def make_inputs(torch: Any, is_transposed: bool = False) -> dict[str, Any]:
    """Return the variables that _CALLS and _GUESSES use, by name. Most are leaf tensors with elements from 0.1 to 0.9.

    If `is_transposed`, the leaves with two or more dimensions are not contiguous.
    """
    torch.manual_seed(0)

    def leaf(*sizes: int) -> Any:
        numbers = torch.rand(*sizes) * 0.8 + 0.1
        return (numbers.transpose(-1, -2) if is_transposed and len(sizes) > 1 else numbers).detach().requires_grad_()

    inputs = {"torch": torch, "F": torch.nn.functional, "x": leaf(4, 4), "y": leaf(4, 4), "v": leaf(4), "w": leaf(4)}
    inputs |= {"batch": leaf(4, 4, 4), "image": leaf(1, 4, 4, 4), "volume": leaf(1, 1, 4, 4, 4), "scalar": leaf(1)}
    inputs |= {"kernel": leaf(4, 4, 2, 2), "triple": leaf(3, 3), "theta": leaf(1, 2, 3), "grid": leaf(1, 2, 2, 2)}
    inputs |= {"z": inputs["x"] * 1, "n": torch.tensor([1, 2, 3]), "array": torch.rand(3).numpy()}
    inputs |= {"rows": torch.tensor([0, 2, 3, 1]), "index": torch.tensor([[0, 2, 3, 1]] * 4)}
    return inputs | {"mask": torch.tensor([[True, False, True, False]] * 4)}


def calls_of(name: str, forms: Iterable[str]) -> list[str]:
    """Return calls of operation `name`, as source text, to try in this order.

    `forms` are its full names: `Tensor.exp` and `torch.exp` lead to calls such as `x.exp()` and `torch.exp(x)`.
    """
    for call in re.split(r"\s{2,}", _CALLS.strip()):
        if called_name(call) == name:
            return [call]
    return [
        f"x.{form.removeprefix('Tensor.')}({arguments.removeprefix('x').removeprefix(', ')})"
        if form.startswith("Tensor.")
        else f"{form}({arguments})"
        for form in forms
        for arguments in _GUESSES
        if arguments.startswith("x") or not form.startswith("Tensor.")
    ]


def called_name(call: str) -> str:
    """Return the operation of a call: `reshape` for `x.reshape(16)`, `F.pad` for `F.pad(x, (1, 1))`."""
    function = re.match(r"(?:\w+(?:\.detach\(\))?\.)*?((?:F\.|linalg\.)?\w+)\(", call)
    assert function, call
    return function[1]


def observe(torch: Any, calls: Iterable[str]) -> dict[str, Any] | None:
    """Run the calls until a call raises no error, and describe its result. Return None if all calls raise.

    `torch` is the module torch or reference_impl. The description has these keys:
        call: the source text of the call
        view: "yes" or "no": whether the result shares memory with an input; "if possible" if this depends on the
            strides of the input; "itself" if the result is an input; "in place" if the call changes an input
        nodes: the names of the nodes from the result to the leaves
    """
    for call in calls:
        try:
            nodes, view = _run(call, make_inputs(torch))
        except Exception:  # a guess that does not fit
            continue
        with contextlib.suppress(Exception):  # `view` refuses some transposed tensors
            nodes_of_transposed, view_of_transposed = _run(call, make_inputs(torch, True))
            nodes = nodes or nodes_of_transposed
            view = view if view == view_of_transposed else "if possible"
        return {"call": call, "view": view, "nodes": nodes}
    return None


def _run(call: str, inputs: dict[str, Any]) -> tuple[list[str], str]:
    """Run a call. Return `nodes` and `view`, as in `observe`, of the first tensor of its result."""
    torch, end = inputs["torch"], inputs["z"].grad_fn
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(call, {}, inputs)
    tensors = [t for t in (result if isinstance(result, tuple | list) else [result]) if isinstance(t, torch.Tensor)]
    if not tensors:
        return [], "no"
    nodes = list(dict.fromkeys(_nodes(tensors[0].grad_fn, end)))
    if called_name(call).endswith("_"):
        return nodes, "in place"
    sources = [value for value in inputs.values() if isinstance(value, torch.Tensor)]
    if any(tensors[0] is source for source in sources):
        return nodes, "itself"
    memory = tensors[0].untyped_storage().data_ptr()
    return nodes, "yes" if any(memory == source.untyped_storage().data_ptr() for source in sources) else "no"


def _nodes(root: Any, end: Any) -> Iterator[str]:
    """Yield the names of `root` and the nodes it leads to, without leaves, `end`, and nodes that only `end` leads to."""
    stack, seen = [root], set()
    while stack:
        node = stack.pop()
        if node is None or node in seen or node is end or node.name().endswith("AccumulateGrad"):
            continue
        seen.add(node)
        yield node.name()
        stack += [target for target, _ in reversed(node.next_functions)]


def describe() -> list[dict[str, Any]]:
    """Describe the operations of the engine, in the order of FAMILIES and then of the alphabet.

    Keys of a description, besides those of `observe`:
        name: such as `exp` for `torch.exp` and `Tensor.exp`, and `F.pad` for a function only of `torch.nn.functional`
        forms: its full names
        aliases: other names of the same operation
        in_place: the name of its form in place, or an empty string
        text: the first sentence of its docstring
        family: its heading in FAMILIES
        symbol: the full name of its function in reference_impl
        rules: name of each node -> the rule by which the node computes gradients

    Raises:
        LookupError: every call of an operation raises an error.
    """
    import reference_impl
    from reference_impl.autograd.rules import rule_of
    from reference_impl.core.node import Node

    forms_by_name, functions = _public_functions()
    names_by_function: dict[Callable[..., Any], list[str]] = {}
    for name, function in functions.items():
        names_by_function.setdefault(function, []).append(name)
    descriptions = []
    for function, names in names_by_function.items():
        main = next((name for name in names if name.removeprefix("F.") == function.__name__), names[0])
        observation = observe(reference_impl, calls_of(main, forms_by_name[main]))
        if observation is None:
            raise LookupError(
                f"gradnotes/operations.py: every call of {main} raises an error\n    add a call that succeeds to _CALLS"
            )
        descriptions.append(
            {
                "name": main,
                "forms": forms_by_name[main],
                "aliases": [name for name in names if name != main],
                "in_place": f"{main}_" if f"{main}_" in forms_by_name else "",
                "text": " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()),
                "family": _FAMILY_BY_MODULE[_module(function)],
                "symbol": f"{function.__module__}.{function.__qualname__}",
                **observation,
            }
        )
    # only now, because the calls import the modules of the node classes
    node_classes = {node_class.__name__: node_class for node_class in _subclasses(Node)}
    for row in descriptions:
        row["rules"] = {name: rule_of(node_classes[name.rpartition("::")[2]]) for name in row["nodes"]}
    headings = list(FAMILIES)
    return sorted(descriptions, key=lambda row: (headings.index(row["family"]), row["name"].removeprefix("F.").lower()))


def _public_functions() -> tuple[dict[str, list[str]], dict[str, Callable[..., Any]]]:
    """Return two mappings: public name -> full names, and name of each operation to describe -> its function.

    The first mapping maps `exp` to `torch.exp` and `Tensor.exp`.
    """
    import reference_impl
    from reference_impl import ops
    from reference_impl.nn import functional
    from reference_impl.ops import registry

    for module in pkgutil.iter_modules(ops.__path__, "reference_impl.ops."):
        importlib.import_module(module.name)  # registers its operations
    forms: dict[str, list[str]] = {}
    functions: dict[str, Callable[..., Any]] = {}
    namespaces = (
        ("torch", registry.functions),
        ("Tensor", vars(reference_impl.Tensor)),
        ("F", vars(functional)),
        ("torch.special", registry.namespaces["special"]),
        ("torch.linalg", registry.namespaces["linalg"]),
    )
    for namespace, members in namespaces:
        for name, value in members.items():
            if name.startswith("_") or not isinstance(value, types.FunctionType):
                continue
            function = _origin(value)
            public_name, base = name, name.removesuffix("_")
            if namespace == "F" and getattr(functions.get(base), "__name__", "") != function.__name__.removesuffix("_"):
                public_name = f"F.{name}"
            elif namespace == "torch.special" and name not in forms:
                public_name = f"special.{name}"
            elif namespace == "torch.linalg":
                public_name = f"linalg.{name}"
            forms.setdefault(public_name, []).append(f"{namespace}.{name}")
            if public_name not in functions and _is_operation(name, function):
                functions[public_name] = function
    return forms, {
        name: function
        for name, function in functions.items()
        if not name.endswith("_") or name[:-1] not in functions or _module(function) == "random_creation"
    }


def _origin(function: Any) -> Callable[..., Any]:
    """Return the function behind a public name, without wrappers; for `exp_`, an in-place form, that of `exp`."""
    while True:
        if hasattr(function, "__wrapped__") and not hasattr(function, "node"):
            function = function.__wrapped__
            continue
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        inner = closure.get("function") or closure.get("call")
        if inner is None or not (function.__name__.endswith("_") or function.__name__ == "<lambda>"):
            return function
        function = inner.cell_contents


def _is_operation(name: str, function: Callable[..., Any]) -> bool:
    module = _module(function)
    if (
        not {name, function.__name__}.isdisjoint(_HIDDEN_FUNCTIONS)
        or module not in _FAMILY_BY_MODULE
        or not function.__module__.startswith("reference_impl.")
    ):
        return False
    if (function.__doc__ or "").startswith("Raise NotImplementedError"):
        return False
    if module == "properties":
        return name in _PROPERTIES
    return name in _TENSOR_METHODS if module in ("tensor", "_tensor") else True


def _module(function: Callable[..., Any]) -> str:
    return function.__module__.rpartition(".")[2]


def _subclasses(parent: type) -> Iterator[Any]:
    child: Any
    for child in parent.__subclasses__():
        yield child
        yield from _subclasses(child)


def main() -> None:
    """Print the descriptions of all operations as JSON."""
    print(json.dumps(describe()))


if __name__ == "__main__":
    main()
