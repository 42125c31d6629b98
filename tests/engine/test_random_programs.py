"""Random programs (`random_programs`) print the same on both engines, except for a small share.

The page *Proof* lists the known kinds of differences. A nightly run uses new seeds.
"""

from __future__ import annotations

import secrets

from tests.engine.random_programs import (
    Difference,
    first_difference,
    kind_of,
    random_program,
    run_programs,
    shrink,
)

PROGRAMS = {"quick": 60, "pull-request": 60, "full": 2000}
LARGEST_SHARE = 0.03


def test_few_programs_differ(tier: str) -> None:
    """Limit the share of programs that differ. The output contains the report, and the command that repeats the run."""
    seed = secrets.randbelow(10**9) if tier == "full" else 0
    report = run_programs(seed, PROGRAMS[tier])
    text = f"python -m tests.engine.random_programs --seed {seed} --count {PROGRAMS[tier]}\n{report.text()}"
    print(text)
    assert report.count >= 0.99 * PROGRAMS[tier], "more than 1 % of the programs end the process that runs them"
    assert report.share <= LARGEST_SHARE, text


def test_a_seed_determines_the_program() -> None:
    assert random_program(7) == random_program(7) != random_program(8)


def test_shrink_keeps_only_the_statement_that_differs() -> None:
    """Shrink a program that differs because only torch has `torch.compile`."""
    program = ["x = torch.ones(2)", "with torch.no_grad():\n    y = x * 2", "y.sum()", "torch.compile is None", "y + 1"]
    difference = first_difference(program)
    assert difference is not None
    assert difference.statement == "torch.compile is None"
    assert difference.aspect == "only the engine raises or warns"
    assert shrink(program, difference)[0] == ["torch.compile is None"]


def test_the_kind_of_a_difference_names_its_aspect_and_statement() -> None:
    assert Difference("x", "tensor(1.)", "tensor(2.)").aspect == "value"
    assert Difference("x", "ValueError: a", "ValueError: b").aspect == "message"
    assert Difference("x", "ValueError: a", "TypeError: a").aspect == "class of the error"
    assert Difference("x", "ValueError: a", "1").aspect == "only torch raises or warns"
    program = ["x = torch.tensor(1.)", "a1 = x.exp()", "a2 = a1[3:]", "a2"]
    kind = kind_of(program, Difference("a2", "tensor(1.)", "tensor(2.)"))
    assert kind == "value: _ after _[#:]"
    other = kind_of(["a7 = y[0:]", "a7"], Difference("a7", "tensor(3.)", "tensor(4.)"))
    assert other == kind
