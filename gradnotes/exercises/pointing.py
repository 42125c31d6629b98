"""What a `point` exercise asks for, as a run shows it: which lines, which tensors, which order of nodes.

The same program is run on every engine. `observed` is the start with statements between its own that print what is asked;
`asked` reads the answer from the run.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass

from snippetcheck.outcome import Run
from snippetcheck.program import Program

from gradnotes.exercises.format import Exercise

_FOLLOW = """def _follow(root, names, order):
    leaves = {id(one): name for name, one in names.items() if one.is_leaf}
    results = {id(one.grad_fn): name for name, one in names.items() if one.grad_fn is not None}
    waiting, seen = [root], []
    while waiting:
        node = waiting.pop()
        if any(node is one for one in seen):
            continue
        seen.append(node)
        variable = getattr(node, "variable", None)
        title = results.get(id(node), node.name()) if variable is None else leaves.get(id(variable), "a leaf")
        node.register_hook(lambda *_, title=title: order.append(title))
        waiting += [one for one, _ in node.next_functions if one is not None]
    return seen
"""
_NAMES = "{name: it for name, it in list(globals().items()) if isinstance(it, torch.Tensor) and name[0] != '_'}"


class PointError(Exception):
    """A program that cannot be asked: why, and what to do."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Asked:
    """What can be pointed at, each by its name or its text, and what is to be pointed at: in order where that is asked."""

    choices: tuple[str, ...]
    key: tuple[str, ...]


def observed(exercise: Exercise) -> str:
    """The program that is run to find the answer. Raises PointError."""
    lines = exercise.start.split("\n")
    spans = Program(exercise.start, exercise.name).spans
    if exercise.at == "line" and exercise.answer != "raises":
        out = lines[: spans[0][0] - 1]
        for first, last in spans:
            out += lines[first - 1 : last]
            out += [
                "try:",
                f"    print(repr({exercise.answer}))",
                "except NameError:",
                "    print()",
                "except Exception as _error:",
                "    print(type(_error))",
            ]
        return "\n".join(out) + "\n"
    if exercise.at == "tensors":
        seen = f"{{name: bool({exercise.answer}) for name, it in {_NAMES}.items()}}"
        return f'{exercise.start}print(__import__("json").dumps({seen}))\n'
    if exercise.at == "order":
        last = spans[-1][0]
        before = f"_order = []\n_seen = _follow(({_root(exercise)}).grad_fn, {_NAMES}, _order)\n"
        after = 'print(__import__("json").dumps(_order))\n'
        return "\n".join(lines[: last - 1]) + f"\n{_FOLLOW}\n{before}" + "\n".join(lines[last - 1 :]) + after
    return exercise.start


def asked(exercise: Exercise, run: Run) -> Asked:
    """What the run of the observed program says. Raises PointError."""
    made = _lines(exercise, run) if exercise.at == "line" else _named(exercise, run)
    if len(set(made.choices)) < len(made.choices):
        twice = next(one for one in made.choices if made.choices.count(one) > 1)
        raise PointError(f"{twice!r} can be pointed at twice", "give results names, and lines other texts")
    if not made.key or (exercise.at != "order" and len(made.key) == len(made.choices)):
        raise PointError(f"the answer is {'all' if made.key else 'none'} of them", "ask for something else")
    return made


def selection(exercise: Exercise, text: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """What a `# %% wrong:` line points at. Raises PointError."""
    names = tuple(part.strip() for part in text.split(";"))
    for name in names:
        if name not in choices:
            raise PointError(f"{name!r} cannot be pointed at", f"name some of: {'; '.join(choices)}")
    return names if exercise.at == "order" else tuple(one for one in choices if one in names)


def statements(exercise: Exercise) -> list[tuple[int, int, str]]:
    """The lines of the start that can be pointed at: first, last, and their first line as it is named."""
    body = ast.parse(exercise.start).body
    lines = exercise.start.split("\n")
    imports = {node.lineno for node in body if isinstance(node, ast.Import | ast.ImportFrom)}
    return [
        (first, last, lines[first - 1].strip())
        for first, last in Program(exercise.start, exercise.name).spans
        if first not in imports
    ]


def makes(exercise: Exercise, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Which tensors each one was last assigned from, as the program has it: (from, to)."""
    edges: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(exercise.start)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            used = [part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)]
            edges[node.targets[0].id] = list(dict.fromkeys(one for one in used if one in names))
    return [(one, name) for name in names for one in edges.get(name, ()) if one != name]


def _root(exercise: Exercise) -> str:
    last = ast.parse(exercise.start).body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
        return ast.unparse(call.func.value)
    raise PointError("the program does not end with a call of backward", "let its last line be `loss.backward()`")


def _lines(exercise: Exercise, run: Run) -> Asked:
    known = {first: text for first, _, text in statements(exercise)}
    spans = Program(exercise.start, exercise.name).spans
    if exercise.answer == "raises":
        found = [known[first] for (first, _), did in zip(spans, run.statements, strict=False) if did.error]
        return Asked(tuple(known.values()), tuple(found))
    values = [did.output for did in run.statements[1::2]]
    if len(values) < len(spans) and not any(did.error for did in run.statements[::2]):
        raise PointError(f"the run {run.outcome}: {run.detail}", "see what the expression does after each line")
    key, before = [], "\n"
    for (first, _), value in zip(spans, values, strict=False):
        if value != before and before != "\n":
            key.append(known.get(first, ""))
        before = value
    return Asked(tuple(known.values()), tuple(key))


def _named(exercise: Exercise, run: Run) -> Asked:
    error = next((did.error for did in run.statements if did.error), None)
    if error or not run.statements:
        raise PointError(
            f"it raises {error.type}: {error.message}" if error else f"it {run.detail}", "let it run to its end"
        )
    found = json.loads(run.statements[-1].output)
    if exercise.at == "order":
        return Asked(tuple(sorted(found)), tuple(found))
    return Asked(tuple(found), tuple(name for name, chosen in found.items() if chosen))
