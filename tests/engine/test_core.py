"""The core runs alone, stays small, needs little code for a call, and agrees with its fast functions and with torch."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from snippetcheck.compare import compare
from snippetcheck.engines import Engine
from snippetcheck.runner.runner import Runner, missing_requirement
from snippetcheck.settings import Settings, load_settings
from snippetcheck.snippet import Rules, Snippet, files, load

from tests.engine.last_bits import same_text
from tests.sampling import is_picked

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
CORE = ROOT / "reference_impl" / "core"
FAST = ROOT / "reference_impl" / "fast"

LEAST_SNIPPETS = 290  # number of snippets that must pass on the core alone
LEAST_PICKED = 100  # number of those in the sample without `--tier full`
# Limits of the lines of code: of the core without its operations, of its operations, and of the fast functions.
MACHINERY_LINES, OPERATION_LINES, FAST_LINES = 1108, 529, 287
PATH_FILES, PATH_LINES = 12, 371  # limits of the code that runs in one call


# -- snippets on the core alone


@pytest.fixture(scope="module")
def core_settings() -> Settings:
    """Return the project's settings with the core alone as the only engine."""
    settings = load_settings(ROOT)
    engine = Engine("reference_impl", ("core_alone",), {"torch": "core_alone"}, (str(HERE),), distributions=("numpy",))
    return replace_engine(settings, engine)


def replace_engine(settings: Settings, engine: Engine) -> Settings:
    """Return the settings with `engine` as the only engine."""
    return dataclasses.replace(settings, engines={"reference_impl": engine})


def names_of_the_core() -> set[str]:
    """Return the names that the core alone has as an engine."""
    program = "import core_alone; print(*(n for n in dir(core_alone)))"
    process = subprocess.run([sys.executable, "-c", program], cwd=HERE, capture_output=True, text=True, check=True)
    return set(process.stdout.split())


def needs_more_than_core(text: str, core_names: set[str]) -> bool:
    """Return whether a program uses a name of torch that the core lacks."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("torch"):
            return True
        if isinstance(node, ast.Import) and any(a.name.startswith("torch.") for a in node.names):
            return True
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "torch":
            if node.attr not in core_names:
                return True
    return False


def test_snippets_run_on_the_core_alone(core_settings: Settings, tier: str) -> None:
    """Run all candidates with `--tier full`, else one in three, selected by a hash of its text."""
    core_names = names_of_the_core()
    candidates: list[Snippet] = []
    for path in files(core_settings.snippets_dir):
        if not is_picked(path.read_bytes(), 3, tier):
            continue
        snippet = load(path, core_settings.snippets_dir, Rules(("torch", "reference_impl")))
        if (
            "reference_impl" in snippet.manifest.engines
            and not missing_requirement(snippet)
            and not needs_more_than_core(path.read_text(), core_names)
        ):
            candidates.append(snippet)
    passed = []
    with Runner(core_settings) as runner:
        for index, snippet in enumerate(candidates):
            for next_snippet in candidates[index : index + 3]:
                runner.submit(next_snippet, "reference_impl")
            run = runner.result(snippet, "reference_impl")
            if not compare(snippet, run):
                passed.append(snippet.name)
    print(f"{len(passed)} of {len(candidates)} snippets that use only names of the core pass on the core alone")
    assert len(passed) >= (LEAST_SNIPPETS if tier == "full" else LEAST_PICKED)


# -- the path of a call

RECORD_FUNCTIONS = """
import ast, pathlib, sys
import core_alone as torch
root = str(pathlib.Path(torch.__file__).parents[2] / "reference_impl")
def program(w):
    y = torch.sigmoid(x * w)
    y.sum().backward()
x = torch.ones(3)
program(torch.ones(3, requires_grad=True))
w = torch.ones(3, requires_grad=True)
functions = set()
def record_call(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(root):
        functions.add((code.co_filename, code.co_firstlineno, code.co_qualname))
sys.setprofile(record_call); program(w); sys.setprofile(None)
import json
print(json.dumps(sorted(functions)))
"""


def test_the_path_of_a_call_is_short() -> None:
    """Limit the number of files and lines of the functions that `torch.sigmoid(x * w).sum().backward()` calls.

    Docstrings count as lines.
    """
    process = subprocess.run(
        [sys.executable, "-c", RECORD_FUNCTIONS], cwd=HERE, capture_output=True, text=True, check=True
    )
    lines: dict[str, int] = {}
    for file, first, name in json.loads(process.stdout):
        if not name.endswith(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")):
            lines[file] = lines.get(file, 0) + body_lines(Path(file), first, name.rpartition(".")[2])
    print(*(f"{Path(file).relative_to(ROOT)}: {n}" for file, n in lines.items()), sep="\n")
    print(f"{len(lines)} files, {sum(lines.values())} lines")
    assert len(lines) <= PATH_FILES
    assert sum(lines.values()) <= PATH_LINES


def body_lines(path: Path, first: int, name: str) -> int:
    """Count the lines of the function `name` whose definition begins in line `first`, without its decorators.

    If several lambdas begin there, count the longest.
    """
    longest = 0
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first_line = min([node.lineno, *[decorator.lineno for decorator in node.decorator_list]])
        elif isinstance(node, ast.Lambda) and name == "<lambda>":
            first_line = node.lineno
        else:
            continue
        if first_line == first:
            longest = max(longest, (node.end_lineno or first) - node.lineno + 1)
    return longest


# -- what a call costs

# Limit of Python calls per operation, forward and backward; measured: 38.0. Unlike a time, it does not depend on the machine.
CALLS_PER_OPERATION = 40

COUNT_CALLS = """
import sys, core_alone as torch
N = 500
def program():
    h = x = torch.tensor(0.5, requires_grad=True)
    w, b, f = torch.tensor(1.05, requires_grad=True), torch.tensor(0.05, requires_grad=True), torch.tensor(0.0)
    for _ in range(N):
        h = torch.tanh(h * w + b)
        f = f + h
    f.backward()
program()
calls = 0
def count_call(frame, event, argument):
    global calls
    calls += event == "call"
sys.setprofile(count_call); program(); sys.setprofile(None)
print(calls / (4 * N))
"""


def test_an_operation_takes_few_calls() -> None:
    """Limit the Python calls per operation, which determine its time.

    With this limit, the core alone takes at most 2.2 times as long as with its fast functions.
    """
    process = subprocess.run([sys.executable, "-c", COUNT_CALLS], cwd=HERE, capture_output=True, text=True, check=True)
    print(f"{float(process.stdout):.1f} calls")
    assert float(process.stdout) <= CALLS_PER_OPERATION


# -- size and imports of the core


def code_lines(path: Path) -> int:
    """Count the lines of a file that are not blank, comments or docstrings."""
    text = path.read_text()
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        for statement in getattr(node, "body", []) if isinstance(getattr(node, "body", None), list) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                if isinstance(statement.value.value, str):
                    docstrings |= set(range(statement.lineno, (statement.end_lineno or 0) + 1))
    numbered = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and n not in docstrings for n, line in numbered)


def test_the_core_has_few_lines_of_code() -> None:
    operations = sum(map(code_lines, (CORE / "operations").glob("*.py")))
    machinery = sum(map(code_lines, CORE.glob("*.py")))
    fast = sum(map(code_lines, FAST.glob("*.py")))
    print(f"machinery {machinery}, operations {operations}, fast {fast}")
    assert machinery <= MACHINERY_LINES
    assert operations <= OPERATION_LINES
    assert fast <= FAST_LINES


def test_no_package_imports_a_higher_one() -> None:
    """Check the order core, autograd, ops, nn, optim: a package may import only those before it."""
    forbidden_by_package = {
        "core": "autograd|ops|nn|optim|utils|fast|_tensor\\b|random",
        "autograd": "ops|nn|optim",
        "ops": "nn|optim",
        "nn": "optim",
    }
    violations = []
    for package, forbidden in forbidden_by_package.items():
        for path in (ROOT / "reference_impl" / package).rglob("*.py"):
            for line in re.findall(rf"^\s*(?:from|import) reference_impl\.(?:{forbidden})\b.*", path.read_text(), re.M):
                violations.append(f"{path.relative_to(ROOT)}: {line.strip()}")
    assert not violations


# -- with and without the fast functions

PROGRAM = """
torch.manual_seed(0)
x, w, b = torch.randn(4, 3), torch.randn(3, 2, requires_grad=True), torch.zeros(2, requires_grad=True)
order = []
h = torch.tanh(x @ w + b)
h.register_hook(lambda g: order.append("h"))
w.register_hook(lambda g: order.append("w"))
b.register_hook(lambda g: order.append("b"))
z = h.clone()
z[0].mul_(h[1])
z[:, 0] = 3
(z * z).sum().backward(retain_graph=True)
print(z, z.grad_fn.name(), w.grad, b.grad, order, h._version, z._version)
g = torch.autograd.grad((h * h.exp()).sum(), [w, b], create_graph=True)
print(g, [e and e.name() for e, _ in g[0].grad_fn.next_functions])
print(torch.autograd.grad(g[0].pow(2).sum(), [w, b]))
a, m = torch.ones(3, requires_grad=True), torch.nn.Linear(3, 3)
torch.nn.functional.relu(m(a)).sum().backward()
print(a.grad, m.weight.grad, m.bias.grad)
y = a.exp()
y.add_(1)
try:
    y.sum().backward()
except RuntimeError as error:
    print(error)
with torch.autograd.graph.saved_tensors_hooks(lambda t: print("packed", t), lambda nothing: torch.full((3,), 5.0)):
    y = a * 2 * a.detach() * a.sigmoid()
print(torch.autograd.grad(y.sum(), a))
y = (a[:2] * a[1:]).exp().mean()
y.backward(inputs=[a, m.weight], retain_graph=True)
torch.autograd.backward([y, y])
print(a.grad, torch.autograd.grad(a.sum() * 2, [a, m.bias], allow_unused=True))
"""


def run_program(engine: str, fast: str = "1") -> str:
    """Run PROGRAM with an engine as `torch` and return its output. With `fast="0"` the engine has no fast functions."""
    environment = {**os.environ, "REFERENCE_IMPL_FAST": fast}
    return subprocess.run(
        [sys.executable, "-c", f"import {engine} as torch{PROGRAM}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_program_prints_what_torch_prints_with_and_without_fast_functions() -> None:
    fast, slow, expected = run_program("reference_impl", "1"), run_program("reference_impl", "0"), run_program("torch")
    assert fast == slow != ""
    assert same_text(slow, expected), f"{slow}\ninstead of\n{expected}"


def test_each_docstring_of_fast_names_the_replaced_function() -> None:
    program = "import json; from reference_impl import fast; print(json.dumps({k: v.__doc__ for k, v in fast.INSTALLED.items()}))"
    process = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    for name, doc in json.loads(process.stdout).items():
        assert f"`{name}`" in doc, name


# -- programs that must print the same on the core alone, on the whole engine and on torch

ZEROS = """
inf, nan = float("inf"), float("nan")
x = torch.tensor([1.0, nan, -2.0, 0.0], requires_grad=True)
g = torch.tensor([inf, nan, inf, nan])
mask = x.detach() > 0
def filled(t):
    t = t.clone()
    t[0] = 3
    return t.zero_()
for f in (
    lambda t: t.relu(), lambda t: torch.where(mask, t, t.detach()), lambda t: torch.where(mask, 1, t), lambda t: t**0,
    lambda t: t ** torch.tensor([0.0, 0.0, 1.0, 2.0]), lambda t: t.sign(), filled, lambda t: t.abs(),
):
    y = f(x)
    print(y.dtype, y.detach(), *torch.autograd.grad(y, x, g))
(slope,) = torch.autograd.grad(x.abs(), x, g, create_graph=True)
print(slope, [node and node.name() for node, _ in slope.grad_fn.next_functions])
print(torch.arange(2.0, 5.0), torch.arange(1, 9, 3))
"""


LISTS = """
x, fixed = torch.ones(2, requires_grad=True), torch.zeros(2)
for tensors in ([x], [x, x], [fixed, x], [x, fixed]):
    print(*torch.autograd.grad(torch.cat(tensors).sum() + 2 * torch.stack(tensors).sum(), x))
"""

# A mask without dimensions adds a dimension of size 1 or 0.
MASKS = """
x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
for flag in True, False:
    for y in x[torch.tensor(flag)], x[torch.tensor(flag), 1]:
        print(y.shape, y.detach(), *torch.autograd.grad((y * 2).sum(), x))
"""

SLOPES = """
torch.set_default_dtype(torch.float64)
x = torch.tensor([[1.0, 2.0, -0.5], [0.25, 3.0, -2.0]], requires_grad=True)
w = torch.tensor([[0.5, -1.0], [2.0, 0.75], [1.5, 3.0]], requires_grad=True)
p = torch.tensor([[0.0, 2.0, 3.0], [1.0, 0.0, 2.0]], requires_grad=True)
zero = torch.zeros(1, 3, requires_grad=True)
leaves = [x, w, p, zero]
for f in (
    lambda: x.mm(w), lambda: x[0].dot(w[:, 1]), lambda: x.mv(w[:, 0]), lambda: torch.bmm(x[None], w[None]), lambda: x @ w,
    lambda: x.abs() ** p, lambda: zero**p, lambda: 2.0**p, lambda: x**3, lambda: 1 / x, lambda: 2 - x, lambda: x / p.exp(),
    lambda: torch.stack([row * (i + 2) for i, row in enumerate(x.unbind(1))]), lambda: x[None].squeeze() * x,
    lambda: x[:, :, None].squeeze(2) * x, lambda: x.to(torch.float32) * 3,
    lambda: x.t() * w, lambda: x.permute(1, 0) * w, lambda: x.transpose(0, 1).reshape(6) * p.view(6),
    lambda: x.unsqueeze(0).expand(3, 2, 3) * p, lambda: torch.cat([x, p * 2], 1), lambda: x[p > 1] * 5, lambda: x[[1, 1, 0]] * 3,
    lambda: x.mean(0) * x.sum(1, keepdim=True), lambda: x.mean() * x, lambda: x.sin() * p.cos(), lambda: x.abs().log() + p.sqrt(),
    lambda: x.tanh() * p.sigmoid(), lambda: x.narrow(1, 1, 2) * w[:2], lambda: torch.where(x > 0, x * p, p), lambda: (-x).relu(),
):
    y = f()
    slopes = torch.autograd.grad(y.sum() * 2 + (y * y).sum(), leaves, create_graph=True, allow_unused=True)
    print(y.grad_fn.name(), y.detach(), *[g if g is None else g.detach() for g in slopes])
    squares = sum([(g * g).sum() for g in slopes if g is not None and g.requires_grad], x.sum())
    print(*torch.autograd.grad(squares, leaves, allow_unused=True))
"""

# Gradients with respect to some of the inputs only.
PRUNED = """
x, w = torch.ones(2, requires_grad=True), torch.full((2,), 3.0, requires_grad=True)
y = x * w
y.grad_fn.register_hook(lambda inputs, outputs: print(inputs, outputs))
print(torch.autograd.grad(y.sum(), w, retain_graph=True))
a, b = x.clone(), w.clone()
y = a * b
a.add_(1)
for leaf in x, w:
    try:
        print(torch.autograd.grad(y.sum(), leaf, retain_graph=True))
    except RuntimeError as error:
        print(error)
"""

# A hook may write into the gradient that it receives, unless the gradient was made by `expand`.
HOOKS = """
x, fixed = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True), torch.zeros(2, 3)
for f in (
    lambda t: t.mean(), lambda t: t.mean(1), lambda t: t.mean((0, 1)), lambda t: t.mean(0, True), lambda t: t.squeeze(),
    lambda t: t[None].squeeze(0), lambda t: torch.stack([t, t]), lambda t: torch.cat([t, t], 1), lambda t: t.unbind()[0],
    lambda t: t[:1].unbind()[0], lambda t: t[[0, 1]], lambda t: t[t > 2], lambda t: t ** torch.full((), 2.0), lambda t: 2.0**t,
    lambda t: t.to(torch.float64), lambda t: 1 - t, lambda t: t.abs(), lambda t: t.mm(x.detach().t()), lambda t: t.sum(),
    lambda t: t.sum(0),
):
    for create_graph in False, True:
        t = x * 1
        t.register_hook(lambda g: g.mul_(2))
        try:
            print(torch.autograd.grad(f(t).sum(), x, create_graph=create_graph)[0].detach())
        except RuntimeError as error:
            print(error)
for y in torch.cat([fixed, x]), torch.stack([x, fixed]), x.unbind()[1]:
    y.grad_fn.register_hook(lambda inputs, outputs: print(inputs, outputs))
    print(torch.autograd.grad(y.sum(), x))
rows = x[:1].unbind()
print(len(rows), torch.autograd.grad((rows[0] * rows[0]).sum(), x))
print(torch.autograd.grad((0.0 ** torch.tensor([-1.0, 0.0, 2.0]) * x).sum(), x))
exponent = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
print(torch.autograd.grad((0.0**exponent).sum(), exponent), torch.autograd.grad(((-2.0) ** exponent).sum(), exponent))
"""

# Calls that are refused, and arguments that are passed by name: the functions of the core must have torch's parameter names.
REFUSED = """
def outcome(f):
    try:
        return f()
    except (RuntimeError, TypeError) as error:
        return type(error).__name__, str(error)
x = torch.tensor([1.0, 2.0], requires_grad=True)
for empty in [], (), {}.keys():
    print(outcome(lambda: torch.autograd.grad(x.sum(), empty)), outcome(lambda: x.sum().backward(inputs=empty)), x.grad)
number, with_grad = torch.tensor(3.0), torch.tensor(3.0, requires_grad=True)
for alpha in number, with_grad, number.reshape(1):
    for f in torch.add, torch.sub:
        print(outcome(lambda: f(x, x * 2, alpha=alpha)))
print(torch.add(x, x, alpha=number).grad_fn._saved_alpha)
print(outcome(lambda: torch.ones(1).expand(2).add_(other=x)), outcome(lambda: x.mul_(other=x)))
print(torch.ones(2).mul_(other=x), torch.mul(torch.ones(2), other=x), torch.mm(input=x.view(1, 2), mat2=x.view(2, 1)))
"""

MEMORY_ORDER = """
x = torch.ones(2, 3)
print(torch.stack([x.t(), x.t()]).stride(), torch.stack([x, x], 1).stride(), torch.cat([x.t(), x.t()]).stride())
"""

PROGRAMS = {
    "stacked in C order": MEMORY_ORDER,
    "refused calls and arguments by name": REFUSED,
    "hooks write into gradients": HOOKS,
    "unselected elements have gradient 0, also where g is inf or nan": ZEROS,
    "lists of tensors": LISTS,
    "masks without dimensions": MASKS,
    "first and second derivatives": SLOPES,
    "gradients of some of the inputs": PRUNED,
}
RUN = """
import contextlib, io, json, sys
programs, outputs = json.load(sys.stdin), {}
for name, program in programs.items():
    with contextlib.redirect_stdout(io.StringIO()) as outputs[name]:
        exec(program, {"torch": torch})
print(json.dumps({name: output.getvalue() for name, output in outputs.items()}))
"""


def run_programs(engine: str) -> dict[str, str]:
    """Run PROGRAMS with an engine as `torch` and return their outputs by name."""
    process = subprocess.run(
        [sys.executable, "-c", f"import {engine} as torch{RUN}"],
        cwd=HERE,
        input=json.dumps(PROGRAMS),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(process.stdout)


def test_the_core_alone_and_the_whole_engine_print_what_torch_prints() -> None:
    expected = run_programs("torch")
    assert all(expected.values())
    for engine in ("core_alone", "reference_impl"):
        outputs = run_programs(engine)
        assert outputs.keys() == expected.keys()
        for name, text in expected.items():
            assert same_text(outputs[name], text), f"{name}: {engine} prints {outputs[name]} instead of {text}"


# -- declarations of operations

DECLARATION = """
import core_alone
from reference_impl.core.declare import operation
@operation("TwiceBackward0", {})
def twice(self):
    return self + self
"""


@pytest.mark.parametrize(
    "declaration, unknown",
    [
        ("self=lambda g, output: g * output", "output"),
        ("self=lambda g: g, result=lambda g: g", "result"),
        ("self=lambda g: g, self_sym_sizes=lambda g: g", "self_sym_sizes"),
        ("self=lambda g: g, without_gradient=['mask']", "mask"),
        ("self=lambda g: g, saves='self'", "saves"),
    ],
)
def test_a_declaration_with_an_unknown_name_is_refused(declaration: str, unknown: str) -> None:
    program = DECLARATION.format(declaration)
    process = subprocess.run([sys.executable, "-c", program], cwd=HERE, capture_output=True, text=True)
    assert process.stderr.splitlines()[-1] == (
        f"TypeError: TwiceBackward0: {unknown} must be an argument of twice; a formula may also name `result`"
    )


NAMES = """
import core_alone as torch
from reference_impl.core.declare import publish
publish(lambda self, *other: "returned", "__invert__ __index__ __int__ __inc__")
x = torch.ones(2)
print(~x, x.__index__(), x.__inc__(), x._version)
publish(lambda self, other: other, "__shift__ __ishift__ shift_ __hidden_")
print(x.__ishift__(x * 2), x._version, x.shift_(x * 3), x._version, x.__hidden_(4), x.__shift__(5), x._version)
"""


def test_a_name_with_i_is_in_place_only_if_the_name_without_i_exists() -> None:
    """Check that `__invert__` is not treated as in-place: `__iadd__` is in-place because `__add__` exists."""
    process = subprocess.run([sys.executable, "-c", NAMES], cwd=HERE, capture_output=True, text=True)
    assert process.stdout.splitlines() == [
        "returned returned returned 0",
        "tensor([6., 6.]) 1 tensor([6., 6.]) 2 4 5 2",
    ], process.stderr


LIST_AND_WEIGHT = """
import core_alone as torch
from reference_impl.core.declare import operation
@operation("WeightedBackward0", tensors=lambda g: [g, g], weight=lambda g: g)
def weighted(tensors, weight):
    return tensors[0] + tensors[1] * weight
weighted([torch.ones(2, requires_grad=True)] * 2, torch.ones(2, requires_grad=True))
"""


def test_an_operation_on_a_list_of_tensors_has_no_further_inputs() -> None:
    """Check that an operation with a list of tensors and another input raises an error, instead of losing a gradient."""
    process = subprocess.run([sys.executable, "-c", LIST_AND_WEIGHT], cwd=HERE, capture_output=True, text=True)
    assert "ValueError: too many values to unpack (expected 1" in process.stderr.splitlines()[-1]


BY_HAND = """
import textwrap
import core_alone as torch
import numpy as np
from reference_impl.core import declare
from reference_impl.core.declare import operands
from reference_impl.core.node import Node
from reference_impl.core.record import record
program = declare.__doc__.partition("written by hand:")[2].partition("Formulas consist")[0]
names = {"Node": Node, "np": np, "operands": operands, "record": record}
exec(textwrap.dedent(program), names)
by_hand, declared = names["MulBackward0"], torch.mul.node
assert by_hand.__name__ == declared.__name__
assert (by_hand.saved_names, by_hand.uses) == (declared.saved_names, declared.uses)
assert len(by_hand.formulas) == len(declared.formulas) == 2
x, fixed = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True), torch.tensor([5.0, 6.0])
for mul in names["mul"], torch.mul:
    for y in mul(x, x), mul(x, fixed), mul(fixed, x):
        saved = [t if t is None else t.detach() for t in (y.grad_fn._saved_other, y.grad_fn._saved_self)]
        (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        print(y.detach(), *saved, g.detach(), *torch.autograd.grad(g.sum(), x))
"""


def test_a_declaration_equals_the_handwritten_node_in_its_docstring() -> None:
    """Compare `torch.mul` with the version in the docstring of `declare`: results, saved tensors and derivatives."""
    process = subprocess.run([sys.executable, "-c", BY_HAND], cwd=HERE, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    handwritten_output, declared_output = (
        process.stdout[: len(process.stdout) // 2],
        process.stdout[len(process.stdout) // 2 :],
    )
    assert handwritten_output == declared_output != ""
