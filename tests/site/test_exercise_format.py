"""The parser of exercises reports each violation of FORMATS.md with file, line and remedy.

The validation runs the programs of an exercise and reports each rule that they violate.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from snippetcheck.engines import PYTHON
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import Settings
from snippetcheck.snippet import SnippetError

from gradnotes.exercises import mutants, point, validate
from gradnotes.exercises.parser import Exercise, parse
from gradnotes.fences.exercise import render_exercise
from gradnotes.markup import Page
from gradnotes.project import Project

REPAIR = '''"""Twice two is to be four."""
# exercise: repair
# covers: a.b, a.c
# hint: Look at the sign.
# hint: It is a long story
#   that goes on here.

# %% start
two = 2
four = two - two

# %% solution
# - four = two - two
# + four = two + two

# %% check
assert four != 3, "You have `3`."
assert four == 4, f"It is {four}."

# %% right: a product
# - four = two - two
# + four = two * two

# %% wrong: one off
two = 2
four = two + 1

# %% wrong: a word
# error: TypeError: can only concatenate ...
# hint: A number is no word.

# - four = two - two
# + four = "4" + two
'''
POINT = '''"""Which line raises?"""
# exercise: point
# at: line
# answer: raises

# %% start
a = 1
b = 0
c = a / b

# %% wrong: b = 0
# hint: Nothing is wrong with a zero.
'''


def read(text: str) -> Exercise:
    """Parse the text of an exercise as the file exercises/part/one.py."""
    return parse(text, Path("exercises/part/one.py"), "part/one.py")


def test_all_sections_are_read() -> None:
    exercise = read(REPAIR)
    assert (exercise.kind, exercise.covers, exercise.question) == (
        "repair",
        ("a.b", "a.c"),
        ("Twice two is to be four.",),
    )
    assert exercise.hints == ("Look at the sign.", "It is a long story that goes on here.")
    assert exercise.start == "two = 2\nfour = two - two\n"
    assert exercise.solution and exercise.solution.text == "two = 2\nfour = two + two\n"
    assert [answer.text for answer in exercise.rights] == ["two = 2\nfour = two * two\n"]
    assert [(answer.label, answer.error) for answer in exercise.wrongs] == [
        ("one off", ""),
        ("a word", "TypeError: can only concatenate ..."),
    ]


# For each case: the exercise, the text to replace, its replacement, and the line, message and remedy of the problem
REFUSED = {
    "misspelt key": (REPAIR, "# covers: a.b, a.c", "# cover: a.b", 3, "unknown key 'cover'", "did you mean covers?"),
    "unknown key": (REPAIR, "# covers: a.b", "# zzz: a.b", 3, "unknown key 'zzz'", "use exercise, covers"),
    "unknown kind": (
        REPAIR,
        "exercise: repair",
        "exercise: mend",
        2,
        "unknown kind of exercise 'mend'",
        "repair, write",
    ),
    "no kind": (REPAIR, "# exercise: repair\n", "", 1, "no `# exercise:`", "add it below the question"),
    "key twice": (REPAIR, "# covers: a.b, a.c", "# covers: a\n# covers: b", 4, "key 'covers' is repeated", "line 3"),
    "no question": (REPAIR, '"""Twice two is to be four."""\n', "", 1, "no question", "triple quotes"),
    "bad timeout": (
        REPAIR,
        "# covers: a.b, a.c",
        "# timeout: soon",
        3,
        "must be a number of seconds up to",
        "correct the number",
    ),
    "text outside": (
        REPAIR,
        "\n# %% start",
        "x = 1\n\n# %% start",
        7,
        "line outside of any section",
        "below `# %% start`",
    ),
    "nearly a mark": (REPAIR, "# %% solution", "#%% solution", 12, "malformed section mark", "write `# %% start`"),
    "unknown section": (REPAIR, "# %% check", "# %% test", 16, "malformed section mark", "write `# %% start`"),
    "nameless wrong": (REPAIR, "# %% wrong: one off", "# %% wrong", 24, "malformed section mark", ""),
    "no check": (REPAIR, "# %% check", "# %% right: x", 1, "no section `# %% check`", "add the section"),
    "two starts": (REPAIR, "# %% right: a product", "# %% start", 20, "section 'start' is repeated", "remove one"),
    "silent assert": (REPAIR, ', "You have `3`."', "", 17, "assert has no message", "add a hint"),
    "check without assert": (REPAIR, "assert ", "print()  # ", 16, "the check has no assert", "add `assert"),
    "edit that fits nowhere": (
        REPAIR,
        "# - four = two - two\n# + four = two * two",
        "# - five\n# + four",
        21,
        "not in the start",
        "",
    ),
    "edit without context": (
        REPAIR,
        "# - four = two - two\n# + four = two * two",
        "# + four = 4",
        21,
        "has no context",
        "",
    ),
    "edit line without a sign": (
        REPAIR,
        "# - four = two - two\n# + four = two * two",
        "# - two = 2\n# four",
        22,
        "edit line must begin with",
        "",
    ),
    "edit without change": (REPAIR, "# + four = two * two", "# + four = two - two", 21, "changes nothing", ""),
    "hint without error": (
        REPAIR,
        "# %% wrong: one off\n",
        "# %% wrong: one off\n# hint: x\n",
        25,
        "`# hint:` needs `# error:`",
        "",
    ),
    "error without hint": (
        REPAIR,
        "# hint: A number is no word.\n",
        "",
        28,
        "no `# hint:`",
        "below the mark, without a blank line",
    ),
    "key of another kind": (
        REPAIR,
        "# covers: a.b, a.c",
        "# at: line",
        3,
        "key 'at' is not allowed in a repair exercise",
        "remove the line",
    ),
    "no wrong answer": (REPAIR[: REPAIR.index("# %% wrong")], "", "", 1, "no wrong answer", "a common mistake"),
    "not Python": (REPAIR, "two = 2\nfour = two - two", "two = (", 9, "not Python", "correct the syntax"),
    "unknown `at`": (
        POINT,
        "at: line",
        "at: node",
        3,
        "`at:` must be one of line, tensors, order, got 'node'",
        "correct the value",
    ),
    "no answer": (POINT, "# answer: raises\n", "", 3, "no `# answer:`", ""),
    "malformed answer": (
        POINT,
        "answer: raises",
        "answer: where it",
        4,
        "malformed answer: 'where it'",
        "`raises` or",
    ),
    "no expression": (POINT, "answer: raises", "answer: changes a +", 4, "must be a Python expression, got 'a +'", ""),
    "order with an answer": (
        POINT,
        "at: line",
        "at: order",
        4,
        "key 'answer' is not allowed with `at: order`",
        "remove the line",
    ),
    "check of a point": (
        POINT,
        "# %% wrong: b = 0\n",
        "# %% check\nassert 1\n",
        11,
        "section 'check' is not allowed in a point exercise",
        "",
    ),
    "wrong with a program": (
        POINT,
        "# hint: Nothing is",
        "# hint: x\nb = 1\n# hint: Nothing",
        11,
        "a wrong answer of a point exercise must not have a program",
        "",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_malformed_exercise_is_an_error_with_line_and_remedy(case: str) -> None:
    text, old, new, line, message, remedy = REFUSED[case]
    assert old in text
    with pytest.raises(SnippetError) as caught:
        read(text.replace(old, new, 1) if old != "assert " else text.replace(old, new))
    assert (caught.value.line, str(caught.value).startswith(f"exercises/part/one.py:{line}: ")) == (line, True)
    assert message in caught.value.message
    assert remedy in caught.value.remedy and caught.value.remedy


@pytest.fixture(scope="module")
def runs() -> validate.RunProgram:
    """Yield a function that runs a snippet on plain Python, without torch, in a separate process, and returns its Run."""
    folder = Path(__file__).parent
    with Runner(Settings(folder, folder, folder, {PYTHON.name: PYTHON})) as session:
        yield lambda snippet: session.result(snippet, PYTHON.name)  # type: ignore[misc]


def problem_lines(text: str, runs: validate.RunProgram) -> list[str]:
    """Validate the text of an exercise, and return each problem as `line: message`."""
    return [f"{problem.line}: {problem.message}" for problem in validate.find_problems(read(text), runs)]


def test_a_valid_exercise_has_no_problems(runs: validate.RunProgram) -> None:
    assert problem_lines(REPAIR, runs) == []
    assert problem_lines(POINT, runs) == []


def test_a_brief_validation_runs_only_start_and_solution(runs: validate.RunProgram) -> None:
    assert list(validate.build_programs(read(REPAIR), is_brief=True)) == ["start", "solution"]
    assert validate.find_problems(read(REPAIR), runs, is_brief=True) == []
    broken = REPAIR.replace("# + four = two + two", "# + four = two + 3", 1)
    assert [problem.message[:8] for problem in validate.find_problems(read(broken), runs, is_brief=True)] == [
        "solution"
    ]


# For each case: the text of REPAIR to replace, its replacement, and the start of the problem
BROKEN = {
    "solution fails": (
        "# + four = two + two",
        "# + four = two + 3",
        "12: solution does not pass in line 2 of the check: It is 5.",
    ),
    "right fails": ("two * two", "two * 1", "20: right: a product does not pass in line 2 of the check: It is 2."),
    "start passes": (
        "# %% start\ntwo = 2\nfour = two - two",
        "# %% start\ntwo = 2\nfour = two - two\nfour = 4",
        "8: the start passes the check",
    ),
    "wrong passes": ("four = two + 1", "four = 4", "24: wrong: one off passes the check"),
    "same hint": ("four = two + 1", "four = 5", "24: wrong: one off gets the same hint as start: It is 5."),
    "raises before": (
        "four = two + 1",
        "four = two / 0",
        "24: wrong: one off raises before the check: ZeroDivisionError: division by zero",
    ),
    "other error": (
        "TypeError: can only",
        "TypeError: cannot only",
        "28: wrong: a word should raise TypeError: cannot only",
    ),
    "no error": ('"4" + two', "two + 9", "28: wrong: a word does not raise TypeError"),
    "idle assert": ("assert four != 3", "assert four != 7", "17: no known answer violates this assert"),
    "answer without the checked name": ("four = two + 1", "five = 5", "17: no known answer violates this assert"),
    "check raises": (
        "assert four == 4",
        "assert four / 0",
        "8: the check raises ZeroDivisionError on start: division by zero",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_each_violated_rule_is_reported(case: str, runs: validate.RunProgram) -> None:
    old, new, expected = BROKEN[case]
    assert old in REPAIR
    problems = problem_lines(REPAIR.replace(old, new, 1), runs)
    assert any(problem.startswith(expected) for problem in problems), problems


def test_a_wrong_answer_with_the_error_of_the_start_is_refused(runs: validate.RunProgram) -> None:
    problems = problem_lines(REPAIR.replace("four = two - two", 'four = "0" + two'), runs)
    assert any(problem.startswith("28: wrong: a word raises the same error as the start") for problem in problems)


POINT_MISTAKES = {
    "the answer as a wrong one": ("wrong: b = 0", "wrong: c = a / b", "11: wrong: c = a / b is the right answer"),
    "no such line": ("wrong: b = 0", "wrong: b = 5", "11: 'b = 5' must be one of the choices"),
    "no answer": ("c = a / b", "c = a * b", "6: no choice is right"),
    "two alike": ("a = 1\n", "a = 1\na = 1\n", "6: two choices have the same text 'a = 1'"),
}


@pytest.mark.parametrize("case", POINT_MISTAKES)
def test_a_mistake_in_a_point_exercise_is_reported(case: str, runs: validate.RunProgram) -> None:
    old, new, expected = POINT_MISTAKES[case]
    assert any(problem.startswith(expected) for problem in problem_lines(POINT.replace(old, new, 1), runs))


def test_the_answer_key_is_computed_from_the_run(runs: validate.RunProgram) -> None:
    text = POINT.replace("answer: raises", "answer: changes len(bag)").replace(
        "c = a / b", "bag = []\nbag.append(a)\nbag.append(b); bag"
    )
    for program, key in (
        (text, ("bag.append(a)", "bag.append(b); bag")),
        (text.replace("bag.append(a)", "bag.copy()"), ("bag.append(b); bag",)),
    ):
        exercise = read(program)
        answer_key = point.read_answer_key(exercise, runs(validate.build_programs(exercise)["start"]))
        assert answer_key.key == key and "b = 0" in answer_key.choices


def test_mutants_change_only_lines_of_the_solution() -> None:
    exercise = read(REPAIR)
    assert exercise.solution
    text_by_change = dict(mutants.mutate(exercise.start, exercise.solution.text))
    assert "two = 2\nfour = (two - two)\n" in text_by_change.values() and "two = 2\npass\n" in text_by_change.values()
    assert all(text.startswith("two = 2\n") for text in text_by_change.values())


def test_equal_changes_in_one_line_are_separate_mutants(runs: validate.RunProgram) -> None:
    exercise = read(REPAIR.replace("two + two\n\n# %% check", "two + two + 5 * 0 + 5 * 0\n\n# %% check"))
    score = mutants.compute_score(exercise, lambda snippets: [runs(snippet) for snippet in snippets])
    assert sum(survivor.endswith(": 5 -> 6") for survivor in score.survivors) == 2
    assert len(set(score.survivors)) == len(score.survivors)  # each names its column


def test_a_mutant_that_passes_the_check_is_reported(runs: validate.RunProgram) -> None:
    exercise = read(REPAIR.replace("two + two\n\n# %% check", "two + two + 0 * 5\n\n# %% check"))
    score = mutants.compute_score(exercise, lambda snippets: [runs(snippet) for snippet in snippets])
    assert score.mutant_count > 5 and any("5 -> 6" in survivor for survivor in score.survivors)
    assert not any("as in the start" in survivor for survivor in score.survivors)


def test_the_picture_of_tensors_to_choose_from_says_how_many_there_are(root: Path) -> None:
    name = "why-autograd/leaves/which_are_leaves.py"
    html = render_exercise(Project(root), Page("why-autograd/leaves.md", set()), {"file": name})
    assert re.search(r"\d of the program&#x27;s tensors, each with arrows to the tensors computed from it\.", html)
