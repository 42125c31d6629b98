"""Every change of a documented value makes the comparison fail, and the mutation score counts the changes."""

from __future__ import annotations

import re
import string
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sample_projects import Project, parse_text
from snippetcheck.compare import compare
from snippetcheck.mutate import mutants, score
from snippetcheck.outcome import FINISHED, RaisedError, Run, StatementRun
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet, SnippetError

SNIPPET = '''
"""Title."""

print(x)
#> tensor([[1.5, -2.],
#>         [0., 1e-05]], dtype=torch.float64, grad_fn=<MulBackward0>)
#>
#> torch.Size([2, 2]) True
f()
#~ UserWarning: beware of 3
#! RuntimeError: shape [2, 3] is invalid
'''

PRINTED = (
    "tensor([[1.5, -2.],\n        [0., 1e-05]], dtype=torch.float64, grad_fn=<MulBackward0>)\n\n"
    "torch.Size([2, 2]) True\n"
)


def example_run() -> Run:
    error = RaisedError("RuntimeError", "builtins.RuntimeError", "shape [2, 3] is invalid", 7)
    return Run(
        "torch",
        FINISHED,
        "",
        (
            StatementRun(PRINTED, "", None, ()),
            StatementRun("", "", error, (("UserWarning", "beware of 3"),)),
        ),
    )


def test_every_mutant_of_an_example_is_killed() -> None:
    snippet = parse_text(SNIPPET)
    assert compare(snippet, example_run()) == []
    mutation_score = score(snippet, example_run())
    assert mutation_score.survivors == ()
    assert mutation_score.mutants > 100


def test_mutants_change_values_of_every_kind() -> None:
    changed = {(mutant.kind, mutant.before, mutant.after) for mutant in mutants(parse_text(SNIPPET))}
    assert {
        ("digit", "1.5", "2"),
        ("digit", "1e-05", "6"),
        ("sign", "-", "+"),
        ("sign", "-", ""),
        ("sign", "1.5", "-1.5"),
        ("word", "MulBackward0", "MulBackward0x"),
        ("word", "float64", ""),
        ("word", "RuntimeError", "rUNTIMEeRROR"),
        ("word", "UserWarning", ""),
        ("word", "beware", "bewarex"),
        ("bracket", "[", ""),
        ("bracket", "<", ""),
        ("mark", ",", ""),
        ("line", "#>", ""),
    } <= changed


def test_only_a_needless_wildcard_mark_survives() -> None:
    """Check that a change of the text beside a wildcard is noticed.

    The `?` of `#>?` can be removed unnoticed only if the line needs no wildcard.
    """
    snippet = parse_text('"""T."""\n\nprint(x)\n#>? took ... s and 3 steps\n')
    run = Run("torch", FINISHED, "", (StatementRun("took 1.25 s and 3 steps\n", "", None, ()),))
    assert score(snippet, run).survivors == ()
    snippet = parse_text('"""T."""\n\nprint(x)\n#>? took ... 3 steps ...\n')
    assert compare(snippet, run) != []
    snippet = parse_text('"""T."""\n\nprint(x)\n#>? took ...\n')
    dots = Run("torch", FINISHED, "", (StatementRun("took ...\n", "", None, ()),))
    assert [mutant.before for mutant in score(snippet, dots).survivors] == ["?"]


TEXT = st.text(string.ascii_letters + string.digits + " .,-+[]()<>=_'\n", min_size=1, max_size=60)


@settings(deadline=None)  # examples are slow on a busy machine
@given(TEXT)
def test_no_mutant_of_any_output_survives(output: str) -> None:
    assume(output.strip())
    lines = [line.rstrip() for line in output.split("\n")]
    expected = "\n".join(f"#> {line}".rstrip() for line in lines)
    snippet = parse_text(f'"""T."""\n\nprint(x)\n{expected}\n')
    run = Run("torch", FINISHED, "", (StatementRun(output + "\n", "", None, ()),))
    assert compare(snippet, run) == []
    assert score(snippet, run).survivors == ()


def test_mutants_fail_when_they_are_run(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    """Run every fifth mutant: it must fail too. (`score` runs no mutant, but compares it with the run of the original.)"""
    snippet = write(
        """
        import warnings
        print([1.5, -2.0], "shape (2, 3)")
        #> [1.5, -2.0] shape (2, 3)
        warnings.warn("beware")
        #~ UserWarning: beware
        print("on")
        #> on
        int("x1")
        #! ValueError: invalid literal for int() with base 10: 'x1'
        """
    )
    run = python_server.run(snippet)
    assert compare(snippet, run) == []
    snippet_mutants = list(mutants(snippet))
    for mutant in snippet_mutants[::5]:
        assert fails_when_run(snippet, mutant.text(snippet), python_server), mutant
    assert len(snippet_mutants) > 60


def fails_when_run(snippet: Snippet, text: str, server: EngineClient) -> bool:
    """Return whether the snippet with this text cannot be parsed or has findings."""
    from snippetcheck.snippet import parse

    try:
        changed = parse(text, snippet.path, snippet.name)
    except SnippetError:
        return True
    return bool(compare(changed, server.run(replace(changed, text=text))))


def test_a_mutant_survives_if_its_whole_text_has_no_findings(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    """Check the shorter comparison of a literal line against that of the parsed mutant."""
    snippet = write(
        """
        import sys
        for i in "12": print("a", i, 1)
        #> a 1 1
        #>? a ... 1
        for i in range(2):
            if i:
                print([i / 3], "x")
                #> [0.333] x
            else:
                print()
                #>

            print(1.0, file=sys.stderr)
        #2> 1.0
        #2> 1.0
        print("end")
        #> end
        """
    )
    snippet = snippet.with_text(snippet.text.replace("\n\n", "\n# tolerance: 1e-2\n\n", 1))
    run = python_server.run(snippet)
    survivors = [mutant for mutant in mutants(snippet) if not fails_when_parsed(snippet, mutant.text(snippet), run)]
    assert list(score(snippet, run).survivors) == survivors


def fails_when_parsed(snippet: Snippet, text: str, run: Run) -> bool:
    try:
        return bool(compare(snippet.with_text(text), run))
    except SnippetError:
        return True


@pytest.mark.parametrize(
    "text",
    ["".join(f"print({n})\n#> {n}\n" for n in range(2000)), f"print('{'1.25 ' * 8_000}')\n#> {'1.25 ' * 8_000}"],
    ids=["many statements", "a long line"],
)
def test_a_long_snippet_is_mutated_in_seconds(text: str) -> None:
    snippet = parse_text(f'"""T."""\n\n{text}\n')
    outputs = [f"{line.text}\n" for statement in snippet.statements for line in statement.output]
    run = Run("torch", FINISHED, "", tuple(StatementRun(output, "", None, ()) for output in outputs))
    start = time.process_time()
    assert score(snippet, run).survivors == ()
    assert time.process_time() - start < 30  # about 1 s; minutes if each mutant is parsed


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["serial", "two workers"])
def test_pytest_prints_the_mutation_score(project: Project, workers: list[str]) -> None:
    project.snippet("a.py", "print(1.5)\n#> 1.5")
    project.snippet("b.py", "print('in', 3)\n#> in 3")
    completed = project.pytest("--snippet-mutate", "snippets", *workers)
    assert completed.returncode == 0, completed.stdout
    score = re.search(r"^mutation: (\d+) of (\d+) changed values turned red$", completed.stdout, re.MULTILINE)
    assert score and int(score[1]) == int(score[2]) > 10, completed.stdout
