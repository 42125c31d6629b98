"""Run random programs on torch and on the engine and compare everything that they print.

A program is a list of statements about a few small tensors: views, in-place changes, hooks, modes, Functions, hooks on saved tensors,
`inputs=` and batched gradients. A statement may raise: the program continues after it, as at a prompt. `random_vocabulary` has
the statements.

    python -m tests.engine.random_programs --seed 1 --count 1000

prints the share of programs with a difference, and for each kind of difference the number of programs and the shortest one. The kind is the
first statement that differs, without the names of its tensors, and the aspect in which it differs: the value; the message or class of
an error or warning; or that only one engine raises or warns.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

import torch

import reference_impl
from tests.engine.last_bits import same_text
from tests.engine.random_vocabulary import Names, last_statements, leaf_statements, prelude, statement
from tests.engine.transcript import transcript

ERROR = re.compile(r"^(\w*(?:Error|Exception|Warning)\w*)(?: [a-z ]+)?: ", re.MULTILINE)


@dataclass(frozen=True)
class Difference:
    """The first statement of a program whose output differs between the engines.

    Attributes:
        statement: the text of the statement.
        expected: what torch printed.
        actual: what the engine printed.
    """

    statement: str
    expected: str
    actual: str

    @property
    def aspect(self) -> str:
        """Return what differs: "value", "message", "class of the error", or that only one engine raises or warns."""
        expected, actual = (ERROR.search(text) for text in (self.expected, self.actual))
        if expected and actual:
            return "message" if expected[1] == actual[1] else "class of the error"
        if expected or actual:
            return "only torch raises or warns" if expected else "only the engine raises or warns"
        return "value"

    @property
    def kind(self) -> str:
        """Return a text that is equal for alike differences: the aspect, and the last line of the statement.

        In the line, `_` replaces the names of tensors and `#` numbers. For an error or a warning, its message follows, with `#` too.
        """
        message = next((line for line in (self.expected + "\n" + self.actual).splitlines() if ERROR.match(line)), "")
        return f"{self.aspect}: {_template(self.statement)}" + (
            f" [{re.sub(r'[0-9]+', '#', message)[:90]}]" if message else ""
        )


def _template(statement: str) -> str:
    """Return the last line of a statement, with names of tensors replaced by `_` and numbers by `#`."""
    text = re.sub(r"\b[xyawh]\d*\b", "_", statement.splitlines()[-1].strip()).removeprefix("_ = ")
    return re.sub(r"-?\b\d+(?:\.\d*)?|True|False|float64", "#", text)


def kind_of(program: Sequence[str], difference: Difference) -> str:
    """Return the kind of a difference. If values differ, the kind includes the preceding statement."""
    before = [_template(text) for text in program if "torch.tensor(" not in text][-2:-1]
    return difference.kind + (f" after {before[0]}" if difference.aspect == "value" and before else "")


@dataclass
class Report:
    """The differences of many programs.

    Attributes:
        count: number of programs.
        shortest: the shortest program with each kind of difference, and that difference.
        count_by_kind: number of programs with each kind of difference.
    """

    count: int = 0
    shortest: dict[str, tuple[Sequence[str], Difference]] = field(default_factory=dict)
    count_by_kind: dict[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """Return the share of programs with a difference."""
        return sum(self.count_by_kind.values()) / max(self.count, 1)

    def add(self, program: Sequence[str], difference: Difference) -> None:
        """Count a difference, and store the program if it is the shortest with this kind of difference."""
        kind = kind_of(program, difference)
        self.count_by_kind[kind] = self.count_by_kind.get(kind, 0) + 1
        if kind not in self.shortest or len(program) < len(self.shortest[kind][0]):
            self.shortest[kind] = program, difference

    def text(self) -> str:
        """Return the share of programs that differ, then the kinds of differences by frequency, each with its program."""
        lines = [f"{sum(self.count_by_kind.values())} of {self.count} programs differ ({100 * self.share:.2f} %)"]
        for kind in sorted(self.count_by_kind, key=lambda kind: -self.count_by_kind[kind]):
            program, difference = self.shortest[kind]
            lines += ["", f"## {self.count_by_kind[kind]} x {kind}", *program]
            lines += ["# torch:", *_as_comment(difference.expected), "# engine:", *_as_comment(difference.actual)]
        return "\n".join(lines)


def _as_comment(text: str) -> list[str]:
    return ["#     " + line for line in text.splitlines()]


def random_program(seed: int) -> list[str]:
    """Return the statements of a program: its leaves, 3 to 12 statements, and prints of the state of every tensor."""
    rng = random.Random(seed)
    names = Names(rng)
    program = leaf_statements(names)
    for _ in range(rng.randint(3, 12)):
        program.append(statement(names))
    return program + last_statements(names)


def first_difference(program: Sequence[str]) -> Difference | None:
    """Run a program on both engines and return the first statement that differs, or None.

    Raises:
        ValueError: the program cannot be parsed.
    """
    session = "\n".join([prelude(program), *program])
    try:
        expected, actual = transcript(torch, session), transcript(reference_impl, session)
    except SyntaxError as error:
        raise ValueError("\n".join(program)) from error
    for (text, torch_output), (_, engine_output) in zip(expected, actual, strict=True):
        if not same_text(engine_output, torch_output):
            return Difference(text, torch_output, engine_output)
    return None


def shrink(program: Sequence[str], difference: Difference) -> tuple[Sequence[str], Difference]:
    """Remove statements, and `with` lines around statements, as long as the first difference stays of the same kind.

    Return the shortened program and its first difference.
    """
    has_changed = True
    while has_changed:
        has_changed = False
        for index in reversed(range(len(program))):
            for replacement in _shorter(program[index]):
                candidate = [*program[:index], *replacement, *program[index + 1 :]]
                remaining = first_difference(candidate)
                if remaining is not None and remaining.kind == difference.kind:
                    program, difference, has_changed = candidate, remaining, True
                    break
    return program, difference


def _shorter(statement: str) -> list[list[str]]:
    """Return the statements by which to replace a statement: none, or the body of a `with` block."""
    if not statement.startswith("with "):
        return [[]]
    return [[], [line.strip() for line in statement.splitlines()[1:]]]


def run_programs(seed: int, count: int) -> Report:
    """Run the programs of `count` seeds, beginning with `seed`, and shrink those that differ. Return their Report.

    The Report omits programs that crash torch or the engine.
    """
    report = Report()
    for program, difference in _results(seed, seed + count):
        report.count += 1
        if difference is not None:
            report.add(program, difference)
    return report


def _results(begin: int, end: int) -> Iterator[tuple[Sequence[str], Difference | None]]:
    """Run the programs of the seeds from `begin` to before `end` in other processes, since a few programs crash torch.

    Yield each program with its difference. A program that crashes its process is omitted.
    """
    while begin < end:
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(target=_send_results, args=(begin, end, sender))
        process.start()
        sender.close()
        try:
            while begin < end:
                yield receiver.recv()
                begin += 1
        except EOFError:
            begin += 1
        process.join()


def _send_results(begin: int, end: int, sender: Connection) -> None:
    """Run the programs of the seeds from `begin` to before `end`, and send each result."""
    torch.set_num_threads(1)
    for seed in range(begin, end):
        program: Sequence[str] = random_program(seed)
        difference = first_difference(program)
        if difference is not None:
            program, difference = shrink(program, difference)
        sender.send((program, difference))


def main() -> None:
    """Run programs and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first program")
    parser.add_argument("--count", type=int, default=1000, help="number of programs")
    options = parser.parse_args()
    print(run_programs(options.seed, options.count).text())


if __name__ == "__main__":
    main()
