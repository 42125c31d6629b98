"""Derive the answer key of a `point` exercise from a run: the lines or tensors to select, or the nodes in order.

The same program runs on every engine. `instrumented_program` adds statements to the start that print the answer;
`read_answer_key` reads it from the run.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass

from snippetcheck.outcome import Run
from snippetcheck.program import Program

from gradnotes.exercises.parser import Exercise

_FOLLOW = """def _follow(root, names, order):
    leaves = {id(tensor): name for name, tensor in names.items() if tensor.is_leaf}
    results = {id(tensor.grad_fn): name for name, tensor in names.items() if tensor.grad_fn is not None}
    waiting, seen = [root], []
    while waiting:
        node = waiting.pop()
        if any(node is seen_node for seen_node in seen):
            continue
        seen.append(node)
        variable = getattr(node, "variable", None)
        title = results.get(id(node), node.name()) if variable is None else leaves.get(id(variable), "a leaf")
        node.register_hook(lambda *_, title=title: order.append(title))
        waiting += [child for child, _ in node.next_functions if child is not None]
    return seen
"""
_NAMES = "{name: it for name, it in list(globals().items()) if isinstance(it, torch.Tensor) and name[0] != '_'}"


class PointError(Exception):
    """A program has no usable answer key, or a wrong answer names an unknown choice. `remedy` says what to change."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class AnswerKey:
    """The answer key of a `point` exercise.

    `choices` are the names of tensors or nodes, or the texts of lines. `key` has the choices that are right, with
    `at: order` in the right order.
    """

    choices: tuple[str, ...]
    key: tuple[str, ...]


def instrumented_program(exercise: Exercise) -> str:
    """Return the start with statements that print the answer.

    For `answer: raises`, return the start unchanged: its errors are the answer.

    Raises:
        PointError: with `at: order`, the program does not end with a call of backward.
    """
    lines = exercise.start.split("\n")
    spans = Program(exercise.start, exercise.name).spans
    if exercise.at == "line" and exercise.answer != "raises":
        program_lines = lines[: spans[0][0] - 1]
        for first, last in spans:
            program_lines += lines[first - 1 : last]
            program_lines += [
                "try:",
                f"    print(repr({exercise.answer}))",
                "except NameError:",
                "    print()",
                "except Exception as _error:",
                "    print(type(_error))",
            ]
        return "\n".join(program_lines) + "\n"
    if exercise.at == "tensors":
        expression = f"{{name: bool({exercise.answer}) for name, it in {_NAMES}.items()}}"
        return f'{exercise.start}print(__import__("json").dumps({expression}))\n'
    if exercise.at == "order":
        last = spans[-1][0]
        before = f"_order = []\n_seen = _follow(({_backward_root(exercise)}).grad_fn, {_NAMES}, _order)\n"
        after = 'print(__import__("json").dumps(_order))\n'
        return "\n".join(lines[: last - 1]) + f"\n{_FOLLOW}\n{before}" + "\n".join(lines[last - 1 :]) + after
    return exercise.start


def read_answer_key(exercise: Exercise, run: Run) -> AnswerKey:
    """Read the answer key from the run of the instrumented program.

    Raises:
        PointError: the program failed, no choice or every choice is right, or two choices have the same text.
    """
    answer = _read_line_key(exercise, run) if exercise.at == "line" else _read_name_key(exercise, run)
    if len(set(answer.choices)) < len(answer.choices):
        duplicate = next(choice for choice in answer.choices if answer.choices.count(choice) > 1)
        remedy = "change one of the two lines" if exercise.at == "line" else "assign the two tensors to different names"
        raise PointError(f"two choices have the same text {duplicate!r}", remedy)
    if not answer.key or (exercise.at != "order" and len(answer.key) == len(answer.choices)):
        message = "every choice is right" if answer.key else "no choice is right"
        raise PointError(message, "change the question or the program")
    return answer


def selection(exercise: Exercise, text: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the choices that are named in `text`, the label of a `# %% wrong:` section, such as `a; b`.

    With `at: order` they have the order of `text`, else that of `choices`.

    Raises:
        PointError: a name is not in `choices`.
    """
    names = tuple(part.strip() for part in text.split(";"))
    for name in names:
        if name not in choices:
            raise PointError(f"{name!r} must be one of the choices", f"use {'; '.join(choices)}")
    return names if exercise.at == "order" else tuple(choice for choice in choices if choice in names)


def statements(exercise: Exercise) -> list[tuple[int, int, str]]:
    """Return (first line, last line, text of the first line) of each statement of the start that is not an import."""
    body = ast.parse(exercise.start).body
    lines = exercise.start.split("\n")
    imports = {node.lineno for node in body if isinstance(node, ast.Import | ast.ImportFrom)}
    return [
        (first, last, lines[first - 1].strip())
        for first, last in Program(exercise.start, exercise.name).spans
        if first not in imports
    ]


def dataflow_edges(exercise: Exercise, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return (operand, result) for each assignment that computes one of the tensors `names` from another."""
    edges: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(exercise.start)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            operands = [part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)]
            edges[node.targets[0].id] = list(dict.fromkeys(operand for operand in operands if operand in names))
    return [(operand, name) for name in names for operand in edges.get(name, ()) if operand != name]


def _backward_root(exercise: Exercise) -> str:
    """Return the source of the expression before `.backward()` in the last statement of the program.

    Raises:
        PointError: this statement is not a call of backward.
    """
    last = ast.parse(exercise.start).body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
        return ast.unparse(call.func.value)
    raise PointError("the program must end with a call of backward", "add the last line `loss.backward()`")


def _read_line_key(exercise: Exercise, run: Run) -> AnswerKey:
    """Read the answer key of an exercise with `at: line`.

    Raises:
        PointError: the run ended without an error before the last line.
    """
    texts = {first: text for first, _, text in statements(exercise)}
    spans = Program(exercise.start, exercise.name).spans
    if exercise.answer == "raises":
        raising_lines = [
            texts[first] for (first, _), statement in zip(spans, run.statements, strict=False) if statement.error
        ]
        return AnswerKey(tuple(texts.values()), tuple(raising_lines))
    values = [statement.output for statement in run.statements[1::2]]
    if len(values) < len(spans) and not any(statement.error for statement in run.statements[::2]):
        raise PointError(f"the run {run.outcome}: {run.detail}", "check the expression after each line")
    changing_lines, before = [], "\n"  # "\n" is printed while a name in the expression is undefined
    for (first, _), value in zip(spans, values, strict=False):
        if value != before and before != "\n":
            changing_lines.append(texts.get(first, ""))
        before = value
    return AnswerKey(tuple(texts.values()), tuple(changing_lines))


def _read_name_key(exercise: Exercise, run: Run) -> AnswerKey:
    """Read the answer key of an exercise with `at: tensors` or `at: order`.

    Raises:
        PointError: the program raised an error or was ended.
    """
    error = next((statement.error for statement in run.statements if statement.error), None)
    if error or not run.statements:
        raise PointError(
            f"the program raises {error.short_summary}" if error else f"the program {run.detail}",
            "correct the program",
        )
    answer = json.loads(run.statements[-1].output)
    if exercise.at == "order":
        return AnswerKey(tuple(sorted(answer)), tuple(answer))
    return AnswerKey(tuple(answer), tuple(name for name, is_right in answer.items() if is_right))
