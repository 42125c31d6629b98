"""Names that snippets call or print occur in the engine's source, and each printed node has a text that describes its gradient."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import reference_impl
from gradnotes.engine_source import symbols
from reference_impl.autograd.rules import rule_of
from reference_impl.core.node import Node
from tests.engine.node_classes import import_engine, subclasses

ROOT = Path(__file__).parents[2]
import_engine()  # creates all node classes
SNIPPETS = sorted(ROOT.glob("snippets/**/*.py"))
NODE = re.compile(r"\b(?:[A-Z]\w*Backward\d|AccumulateGrad|CopySlices)\b")


def test_each_printed_node_has_source_and_a_rule() -> None:
    outputs = [line for path in SNIPPETS for line in path.read_text().splitlines() if re.match(r"\s*#[>!~]", line)]
    printed = {name for line in outputs for name in NODE.findall(line)}
    classes = {cls.__name__: cls for cls in subclasses(Node) if hasattr(cls, "source_module")}
    print(f"{len(printed)} nodes printed")
    assert len(printed) > 40 and printed <= classes.keys()
    for name in printed:
        cls = classes[name]
        declared = getattr(cls, "declared_by", None)
        symbol = f"{cls.source_module}.{name if declared is None else declared.__name__}"
        source = symbols.find(symbol, ROOT)
        assert name in source.text and source.is_definition, (
            f"{name} does not occur in {symbol}, or has no heading there"
        )
        assert not re.search("recorded operation|see the source", rule_of(cls)), (
            f"{name} has no rule that describes its gradient"
        )


def test_called_names_occur_in_the_source() -> None:
    attribute_names: set[str] = set()
    for path in SNIPPETS:
        attribute_names |= {
            node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)
        }
    engine_names = {*dir(reference_impl), *dir(reference_impl.Tensor), *dir(reference_impl.nn)} & attribute_names
    source_words = {
        word for path in (ROOT / "reference_impl").rglob("*.py") for word in re.findall(r"\w+", path.read_text())
    }
    print(f"{len(engine_names)} names called")
    assert len(engine_names) > 200 and not engine_names - source_words


def test_rules_describe_gradients_as_formulas() -> None:
    """Check the text of rules: operations, their arguments, and parentheses where they are needed."""
    classes = {cls.__name__: cls for cls in subclasses(Node)}
    for name, rule in (
        ("LerpBackward0", "∂self = g · (1 - weight),  ∂end = g · weight"),
        ("TanhBackward0", "∂self = g · (1 - result²)"),
        ("SiluBackward0", "∂self = g · sigmoid(self) · (1 + self · (1 - sigmoid(self)))"),
        ("ClampBackward1", "∂self = g where min <= self <= max, 0 elsewhere"),
        ("SqueezeBackward1", "∂self = g with the dimensions of size 1 inserted again"),
        ("CatBackward0", "The inputs joined along dimension `dim`: each receives its part of g."),
        ("MmBackward0", "∂self = g · mat2ᵀ,  ∂mat2 = selfᵀ · g"),
        ("RollBackward0", "∂self = g rolled back"),
    ):
        assert rule_of(classes[name]) == rule
