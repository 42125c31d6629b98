"""Every change of a documented value makes the comparison fail, and the mutation score counts the changes."""

from __future__ import annotations

import re
import string
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
from snippetcheck.snippet import Snippet

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
        assert fails_when_run(snippet, mutant.text, python_server), mutant
    assert len(snippet_mutants) > 60


def fails_when_run(snippet: Snippet, text: str, server: EngineClient) -> bool:
    """Return whether the snippet with this text cannot be parsed or has findings."""
    from snippetcheck.snippet import SnippetError, parse

    try:
        changed = parse(text, snippet.path, snippet.name)
    except SnippetError:
        return True
    return bool(compare(changed, server.run(replace(changed, text=text))))


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["serial", "two workers"])
def test_pytest_prints_the_mutation_score(project: Project, workers: list[str]) -> None:
    project.snippet("a.py", "print(1.5)\n#> 1.5")
    project.snippet("b.py", "print('in', 3)\n#> in 3")
    completed = project.pytest("--snippet-mutate", "snippets", *workers)
    assert completed.returncode == 0, completed.stdout
    score = re.search(r"^mutation: (\d+) of (\d+) changed values turned red$", completed.stdout, re.MULTILINE)
    assert score and int(score[1]) == int(score[2]) > 10, completed.stdout
