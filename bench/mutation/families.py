"""List the faults, that is, every mutation of every syntax node in the project's sources, and draw a sample of them.

Faults are grouped in families. A family depends on the text of the source rather than on its path, so a moved file stays in it:

    gradients           the formulas of gradients (`bench.mutation.gradient_changes`)
    values              everything else that the engine computes
    dtypes and layout   engine code that names dtypes, strides, copies or memory formats
    graph and hooks     engine packages that record and run graphs, and code that names hooks, versions or `requires_grad`
    errors              each `raise` of the engine and the condition before it
    harness             all of snippetcheck
    fences              the code that renders fences and step viewers (gradnotes/fences, gradnotes/viewer)
"""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.mutation.gradient_changes import changes, formulas
from bench.mutation.kinds import EXPLANATORY, mutations

FAMILIES = ("values", "dtypes and layout", "graph and hooks", "errors", "harness", "fences", "gradients")
SOURCES = {
    "reference_impl": "",
    "harness/src/snippetcheck": "harness",
    "gradnotes/fences": "fences",
    "gradnotes/viewer": "fences",
}
EQUIVALENT = Path(__file__).with_name("equivalent_faults.toml")
_GRAPH = re.compile(
    r"hook|_version\b|version_counter|grad_fn|requires_grad|retain|is_leaf|inference|accumulat|saved_|create_graph|grad_mode"
    r"|mode\.enabled"
)
_MACHINERY = re.compile(r"/autograd/|/fast/|/core/(?!operations/)")
_LAYOUT = re.compile(
    r"dtype|astype|strides?\b|contiguous|memory_format|\border\b|\bcopy\b|copy_in_|align_operands|\.kind\b|itemsize|promot|asarray"
    r"|\.flags\b|is_floating|\b(u?int|float)(8|16|32|64)\b|may_share"
)
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Fault:
    """A mutation: its location, and the text before and after the change."""

    family: str
    file: str  # path relative to the repository
    # qualified name of the function, such as `Tensor.backward`, or `<module>`; of a wrong gradient, the name of the formula
    scope: str
    lines: tuple[int, int]  # first and last line; a program that executes one of them may execute the fault
    kind: str
    before: str
    after: str
    span: Span | None = None  # (first line, column, last line, column) of `before`; if None, `text` is the faulty file
    text: str = ""

    @property
    def name(self) -> str:
        """Return a name of the fault that does not change when other code is edited."""
        return f"{self.file} {self.scope}: {self.kind}: {self.before} -> {self.after}"

    @property
    def equivalent_name(self) -> str:
        """Return the fault's name in equivalent_faults.toml."""
        return f"{self.scope}: {self.kind}" if self.family == "gradients" else self.name.partition(" ")[2]

    def put_into(self, source: str) -> str:
        """Return `source`, the text of the fault's file, with the fault."""
        if self.span is None:
            return self.text
        lines = source.split("\n")
        first, begin, last, end = self.span
        before = lines[first - 1].encode()[:begin].decode()
        after = lines[last - 1].encode()[end:].decode()
        return "\n".join([*lines[: first - 1], f"{before}{self.after}{after}", *lines[last:]])


def faults(root: Path) -> Iterator[Fault]:
    """Yield the faults of the sources below `root`, the wrong gradients first.

    If several of the other faults have the same name, yield only the first of them.
    """
    for change in changes(root):
        yield Fault(
            "gradients",
            change.file,
            change.formula,
            (change.line, change.last),
            change.kind,
            change.before,
            change.after,
            None,
            change.text,
        )
    names: set[str] = set()
    for folder, family in SOURCES.items():
        for path in sorted((root / folder).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            for fault in _faults_in_file(file, path.read_text(encoding="utf-8"), family):
                if fault.name not in names:
                    names.add(fault.name)
                    yield fault


GRADIENTS = 100  # number of wrong gradients in a sample; `sample` takes the size of the other families as an argument


def sample(candidates: list[Fault], limit: int, seed: int) -> list[Fault]:
    """Return up to `limit` faults of each family; of the family "gradients", up to `GRADIENTS`.

    The first fault of each function precedes all further ones. Otherwise the order is by a hash of `seed` and the fault's name, so
    that an edit changes few choices in other code.
    """
    sampled_faults = []
    for family in FAMILIES:
        family_faults = [fault for fault in candidates if fault.family == family]
        family_faults.sort(key=lambda fault: hashlib.sha256(f"{seed} {fault.name}".encode()).digest())
        sampled_scopes: set[tuple[str, str]] = set()
        is_repeated = []
        for fault in family_faults:
            is_repeated.append((fault.file, fault.scope) in sampled_scopes)
            sampled_scopes.add((fault.file, fault.scope))
        family_faults = [
            fault for _, fault in sorted(zip(is_repeated, family_faults, strict=True), key=lambda pair: pair[0])
        ]
        sampled_faults += family_faults[: GRADIENTS if family == "gradients" else limit]
    return sampled_faults


def equivalents() -> dict[str, str]:
    """Return the reasons in equivalent_faults.toml, by the `equivalent_name` of the faults that have no visible effect."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {name: reason for reason, names in table.items() for name in names}


# -- the syntax nodes -------------------------------------------------------------------------------


def _faults_in_file(file: str, text: str, family: str) -> Iterator[Fault]:
    tree = ast.parse(text)
    formula_starts = (
        {(formula.node.lineno, formula.node.col_offset) for formula in formulas(file, text)} if not family else set()
    )
    source_lines = text.split("\n")
    for node, scope, lines, is_test, raises in _Walker(formula_starts).nodes(tree):
        span = (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
        for kind, after in mutations(node, is_test):
            source = _source_between(source_lines, span)
            fault_family = family or _family(file, source, raises)
            yield Fault(fault_family, file, scope, lines, kind, " ".join(source.split()), after, span)


def _source_between(lines: list[str], span: Span) -> str:
    first, begin, last, end = span
    span_lines = [line.encode() for line in lines[first - 1 : last]]
    span_lines[-1] = span_lines[-1][:end]
    span_lines[0] = span_lines[0][begin:]
    return b"\n".join(span_lines).decode()


def _family(file: str, source: str, raises: bool) -> str:
    if raises:
        return "errors"
    if _MACHINERY.search(file) or _GRAPH.search(source):
        return "graph and hooks"
    return "dtypes and layout" if _LAYOUT.search(source) else "values"


Candidate = tuple[ast.stmt | ast.expr, str, tuple[int, int], bool, bool]


class _Walker:
    """Walk a syntax tree and yield a Candidate for each node that may be mutated.

    A Candidate is a tuple: the node, the name of the function around it, the lines to execute (see `Fault.lines`), whether the node is
    a condition, and whether its statement is a `raise` or an `if` that ends with a `raise`.
    """

    def __init__(self, formula_starts: set[tuple[int, int]]):
        self.formula_starts = (
            formula_starts  # (line, column) of each gradient formula, which `gradient_changes` mutates
        )

    def nodes(self, tree: ast.Module) -> Iterator[Candidate]:
        yield from self.block(tree.body, "")

    def block(self, body: list[ast.stmt], scope: str) -> Iterator[Candidate]:
        for statement in body:
            yield from self.statement(statement, scope)

    def statement(self, node: ast.stmt, scope: str) -> Iterator[Candidate]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner_scope = f"{scope}.{node.name}".lstrip(".")
            if isinstance(node, ast.FunctionDef):
                for default in [*node.args.defaults, *node.args.kw_defaults]:
                    if default is not None:
                        yield from self.expression(
                            default, inner_scope, (node.body[0].lineno, node.end_lineno or 0), False, False
                        )
            if (node.lineno, node.col_offset) not in self.formula_starts:
                yield from self.block(node.body, inner_scope)
            return
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.Pass | ast.Global | ast.Nonlocal):
            return
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        function = scope or "<module>"
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [handler.body for handler in getattr(node, "handlers", [])] + [
            case.body for case in getattr(node, "cases", [])
        ]
        is_simple = not any(blocks)
        raises = isinstance(node, ast.Raise) or isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise)
        if is_simple:
            yield node, function, _lines(node), False, raises
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.withitem):
                    child = child.context_expr
                if isinstance(child, ast.expr) and name != "annotation":
                    lines = _lines(node if is_simple else child)
                    yield from self.expression(child, function, lines, name == "test", raises)
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            for block in blocks:
                yield from self.block(block, scope)

    def expression(
        self, node: ast.expr, scope: str, lines: tuple[int, int], is_test: bool, raises: bool
    ) -> Iterator[Candidate]:
        if isinstance(node, ast.JoinedStr):  # the nodes in an f-string have no usable positions
            return
        if isinstance(node, ast.Lambda):
            if (node.lineno, node.col_offset) in self.formula_starts:
                return
            scope = f"{scope}.<lambda>"
        yield node, scope, lines, is_test, raises
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.expr):
                    yield from self.expression(child, scope, lines, name == "test", raises)
                elif isinstance(child, ast.keyword) and child.arg not in EXPLANATORY:
                    yield from self.expression(child.value, scope, lines, False, raises)
                elif isinstance(child, ast.comprehension):
                    for part in (child.iter, *child.ifs):
                        yield from self.expression(part, scope, lines, part in child.ifs, raises)


def _lines(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno
