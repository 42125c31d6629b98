"""Each operation has one node class and one set of formulas; `ops` uses the node classes of the core."""

from __future__ import annotations

from collections import defaultdict

import reference_impl
from reference_impl.core.node import Node
from tests.engine.node_classes import import_engine, subclasses


def engine_nodes() -> set[type[Node]]:
    """Import all modules of the engine, and return the node classes that they declare."""
    import_engine()
    return {cls for cls in subclasses(Node) if hasattr(cls, "source_module")}


def test_no_node_class_is_declared_twice() -> None:
    modules_by_name: dict[str, list[str]] = defaultdict(list)
    for cls in engine_nodes():
        modules_by_name[cls.__name__].append(cls.source_module)
    repeated_names = {name: modules for name, modules in modules_by_name.items() if len(modules) > 1}
    print(f"{len(modules_by_name)} node classes, {len(repeated_names)} declared twice")
    assert len(modules_by_name) > 300
    assert not repeated_names


def test_ops_use_the_nodes_of_the_core() -> None:
    """Check that operations that the core declares record nodes of the core in the whole engine too."""
    x = reference_impl.ones(2, 3, requires_grad=True)
    y = x + 1
    for result in (
        x.mean(), x.mean(0), x.squeeze(), x.squeeze(0), reference_impl.cat([x, x]), reference_impl.stack([x, x]), x.unbind()[0],
        x[[0, 1]], x.index_put((reference_impl.tensor([0]),), x[0]), x**x, 2**x, 1 - x, x.to(reference_impl.float64), x.mm(x.t()),
        y.clone().zero_(), y.clone().fill_(1), y.clone().fill_(x[0, 0]), x.abs(), x.sgn(), x.sign(), x.as_strided((2,), (1,)),
    ):  # fmt: skip
        assert result.grad_fn is not None
        assert type(result.grad_fn).source_module.startswith("reference_impl.core"), result.grad_fn.name()
