"""Which faults there are: every way in which each node of our sources can be wrong, in families, and a fair sample of each.

A family is found by what the source says, so that a file that moves or is rebuilt stays in it:

    gradients           the formulas of gradients (`gradient_changes`)
    values              all else that the engine computes
    dtypes and layout   of the engine, what names dtypes, strides, copies or memory formats
    graph and hooks     of the engine, the packages that record and run graphs, and what names hooks, versions or `requires_grad`
    errors              of the engine, each `raise` and the test before it
    harness             all of snippetcheck
    fences              what turns sources into pages: fences and steps
"""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fault_kinds import SAID_ONLY, ways
from gradient_changes import changes, formulas

FAMILIES = ("values", "dtypes and layout", "graph and hooks", "errors", "harness", "fences", "gradients")
SOURCES = {
    "reference_impl": "",
    "harness/src/snippetcheck": "harness",
    "gradnotes/fences": "fences",
    "gradnotes/steps": "fences",
}
EQUIVALENT = Path(__file__).with_name("equivalent_faults.toml")
_GRAPH = re.compile(
    r"hook|_version\b|version_counter|grad_fn|requires_grad|retain|is_leaf|inference|accumulat|saved_|create_graph|grad_mode|mode\.enabled"
)
_MACHINERY = re.compile(r"/autograd/|/fast/|/core/(?!operations/)")
_LAYOUT = re.compile(
    r"dtype|astype|strides?\b|contiguous|memory_format|\border\b|\bcopy\b|copied|aligned|\.kind\b|itemsize|promot|asarray|\.flags\b|is_floating|\b(u?int|float)(8|16|32|64)\b|may_share"
)
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Fault:
    """One wrong place: where it is, what stands there, and what will."""

    family: str
    file: str  # below the repository
    place: str  # `Tensor.backward`, `<module>`
    lines: tuple[int, int]  # the first and the last line whose execution meets it
    kind: str
    before: str
    after: str
    span: Span | None = None  # of `before`; None: `text` is the whole file
    text: str = ""

    @property
    def name(self) -> str:
        """The same after edits elsewhere."""
        return f"{self.file} {self.place}: {self.kind}: {self.before} -> {self.after}"

    @property
    def known_as(self) -> str:
        """Its name in equivalent_faults.toml."""
        return f"{self.place}: {self.kind}" if self.family == "gradients" else self.name.partition(" ")[2]

    def put_into(self, source: str) -> str:
        """The file with the fault."""
        if self.span is None:
            return self.text
        lines = source.split("\n")
        first, begin, last, end = self.span
        before = lines[first - 1].encode()[:begin].decode()
        after = lines[last - 1].encode()[end:].decode()
        return "\n".join([*lines[: first - 1], f"{before}{self.after}{after}", *lines[last:]])


def faults(root: Path) -> Iterator[Fault]:
    """All faults of the sources under `root`; of those with one name, which are in one function, the first."""
    for one in changes(root):
        yield Fault(
            "gradients", one.file, one.formula, (one.line, one.last), one.kind, one.before, one.after, None, one.text
        )
    seen: set[str] = set()
    for folder, family in SOURCES.items():
        for path in sorted((root / folder).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            for fault in _of_file(file, path.read_text(encoding="utf-8"), family):
                if fault.name not in seen:
                    seen.add(fault.name)
                    yield fault


GRADIENTS = 100  # in a sample: wrong gradients are what the engine must not have


def sample(found: list[Fault], most: int, seed: int) -> list[Fault]:
    """At most so many of each family, and of wrong gradients `GRADIENTS`.

    An edit changes only what it edits: the order is that of a checksum. First comes one fault of each function, then the others.
    """
    chosen = []
    for family in FAMILIES:
        mine = [one for one in found if one.family == family]
        mine.sort(key=lambda one: hashlib.sha256(f"{seed} {one.name}".encode()).digest())
        places: set[tuple[str, str]] = set()
        again = []
        for one in mine:
            again.append((one.file, one.place) in places)
            places.add((one.file, one.place))
        mine = [one for _, one in sorted(zip(again, mine, strict=True), key=lambda pair: pair[0])]
        chosen += mine[: GRADIENTS if family == "gradients" else most]
    return chosen


def equivalents() -> dict[str, str]:
    """The faults that change nothing that can be seen, as `known_as`, and why."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {name: why for why, names in table.items() for name in names}


# -- the places -------------------------------------------------------------------------------------


def _of_file(file: str, text: str, family: str) -> Iterator[Fault]:
    tree = ast.parse(text)
    mine = {(one.node.lineno, one.node.col_offset) for one in formulas(file, text)} if not family else set()
    written = text.split("\n")
    for node, place, lines, is_test, raises in _Places(mine).of(tree):
        span = (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
        for kind, after in ways(node, is_test):
            source = _between(written, span)
            named = family or _family(file, source, raises)
            yield Fault(named, file, place, lines, kind, " ".join(source.split()), after, span)


def _between(lines: list[str], span: Span) -> str:
    first, begin, last, end = span
    chosen = [line.encode() for line in lines[first - 1 : last]]
    chosen[-1] = chosen[-1][:end]
    chosen[0] = chosen[0][begin:]
    return b"\n".join(chosen).decode()


def _family(file: str, source: str, raises: bool) -> str:
    if raises:
        return "errors"
    if _MACHINERY.search(file) or _GRAPH.search(source):
        return "graph and hooks"
    return "dtypes and layout" if _LAYOUT.search(source) else "values"


Place = tuple[ast.stmt | ast.expr, str, tuple[int, int], bool, bool]


class _Places:
    """Walks a tree: each node that may be changed, its function, the lines of its statement, if it is a test, if it leads to a raise."""

    def __init__(self, left_out: set[tuple[int, int]]):
        self.left_out = left_out  # where the formulas of gradients begin

    def of(self, tree: ast.Module) -> Iterator[Place]:
        yield from self.block(tree.body, "")

    def block(self, body: list[ast.stmt], place: str) -> Iterator[Place]:
        for statement in body:
            yield from self.statement(statement, place)

    def statement(self, node: ast.stmt, place: str) -> Iterator[Place]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{place}.{node.name}".lstrip(".")
            if isinstance(node, ast.FunctionDef):
                for default in [*node.args.defaults, *node.args.kw_defaults]:
                    if default is not None:
                        yield from self.expression(
                            default, inside, (node.body[0].lineno, node.end_lineno or 0), False, False
                        )
            if (node.lineno, node.col_offset) not in self.left_out:
                yield from self.block(node.body, inside)
            return
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.Pass | ast.Global | ast.Nonlocal):
            return
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        here = place or "<module>"
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [handler.body for handler in getattr(node, "handlers", [])] + [
            case.body for case in getattr(node, "cases", [])
        ]
        is_simple = not any(blocks)
        raises = isinstance(node, ast.Raise) or isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise)
        if is_simple:
            yield node, here, _lines(node), False, raises
        for name, value in ast.iter_fields(node):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.withitem):
                    one = one.context_expr
                if isinstance(one, ast.expr) and name != "annotation":
                    lines = _lines(node if is_simple else one)
                    yield from self.expression(one, here, lines, name == "test", raises)
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            for block in blocks:
                yield from self.block(block, place)

    def expression(
        self, node: ast.expr, place: str, lines: tuple[int, int], is_test: bool, raises: bool
    ) -> Iterator[Place]:
        if isinstance(node, ast.JoinedStr):  # its parts have no places of their own
            return
        if isinstance(node, ast.Lambda):
            if (node.lineno, node.col_offset) in self.left_out:
                return
            place = f"{place}.<lambda>"
        yield node, place, lines, is_test, raises
        for name, value in ast.iter_fields(node):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.expr):
                    yield from self.expression(one, place, lines, name == "test", raises)
                elif isinstance(one, ast.keyword) and one.arg not in SAID_ONLY:
                    yield from self.expression(one.value, place, lines, False, raises)
                elif isinstance(one, ast.comprehension):
                    for part in (one.iter, *one.ifs):
                        yield from self.expression(part, place, lines, part in one.ifs, raises)


def _lines(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno
