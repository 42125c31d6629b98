"""Render the `predict` fence: the reader says what a snippet prints, or which line raises, before the page shows it.

The right answer is the snippet's expected output, which the harness compares with runs; the fence names the wrong
answers. Without JavaScript, the answer is in a fold below the program. On paper, practice.js puts the answers at the end
of the page.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup
from snippetcheck.fence_types import FenceType, Snippets, check_snippet_exists, expected_texts
from snippetcheck.numbers import NUMBER
from snippetcheck.pages import Fence
from snippetcheck.snippet import Snippet, Statement
from snippetcheck.source import plural

from gradnotes.fences.answer_matching import is_error, is_same_answer
from gradnotes.fences.prose import prose
from gradnotes.fences.registry import renders
from gradnotes.fences.snippet import displayed_lines, render_snippet
from gradnotes.links import anchor
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.viewer.output_markup import block, source_block
from gradnotes.words import say

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORDS = re.compile(r"(?=.*[a-z]{3})[a-z0-9,' ]+")
ANSWER_MODES = ("choose", "typed", "line")
NO_LINE = "no line raises"


@dataclass(frozen=True)
class Question:
    """A question about a snippet, and its right answer."""

    statement: Statement  # the statement that the question is about
    covered: tuple[Statement, ...]  # statements whose output is hidden: `statement` and those after it
    right: str  # the right answer
    error: str  # if the right answer is an error, its type, else empty
    lines: tuple[str, ...]  # choices of a question about lines: first lines of statements, and NO_LINE


def build_question(snippet: Snippet, first: int, last: int, keys: dict[str, str]) -> Question:
    """Build the question of a fence about lines `first` to `last` of a snippet.

    Raises:
        FenceError: a key is invalid, no statement in these lines prints or raises, or the answer differs between runs.
    """
    mode = keys.get("answer", "choose")
    if mode not in ANSWER_MODES:
        raise FenceError(f"`answer:` must be one of {', '.join(ANSWER_MODES)}, got {mode!r}", "correct the value")
    if mode == "line" and "part" in keys:
        raise FenceError("with `answer: line`, `part:` has no effect", "remove `part:`")
    if "nth" in keys and "of" not in keys:
        raise FenceError(
            "without `of:`, `nth:` has no effect", "add `of:` with text of the statement, or remove `nth:`"
        )
    statements = [statement for statement in snippet.statements if first <= statement.first and statement.last <= last]
    statement = _find_statement(snippet, statements, keys)
    covered = tuple(other for other in statements if other.first >= statement.first and other.block_last > other.last)
    sources = [(other, snippet.lines[other.first - 1].strip()) for other in statements]
    lines = tuple(text for _, text in sources if not text.startswith(("import ", "from ")))
    if mode == "line":
        right_line = next((text for other, text in sources if other.error), NO_LINE)
        return Question(statement, covered, right_line, "", (*lines, NO_LINE))
    output = "\n".join(line.text for line in statement.output)
    error = statement.error.type if statement.error else ""
    if error and "part" not in keys:
        return Question(statement, covered, error, error, lines)
    right = _select_part(output, keys.get("part", ""))
    if any(line.has_wildcards and line.text in right.split("\n") for line in statement.output):
        raise FenceError("the answer contains a `#>?` line, whose text differs between runs", "choose another `part:`")
    return Question(statement, covered, right, "", lines)


def _find_statement(snippet: Snippet, statements: list[Statement], keys: dict[str, str]) -> Statement:
    """Return the statement that `of:` and `nth:` select, by default the last statement that prints or raises.

    Raises:
        FenceError: there is no such statement, or several contain the text of `of:` and `nth:` is missing.
    """
    candidates = [statement for statement in statements if statement.output or statement.error]
    if "of" not in keys:
        if not candidates:
            raise FenceError("no displayed statement prints or raises", "name a snippet or a region that does")
        return candidates[-1]
    matches = [
        statement
        for statement in candidates
        if keys["of"] in "\n".join(snippet.lines[statement.first - 1 : statement.last])
    ]
    nth = keys.get("nth", "1" if len(matches) == 1 else "")
    if not nth.isdigit() or not 1 <= int(nth) <= len(matches):
        remedy = "copy text from a line that prints or raises"
        if matches:
            remedy = f"set `nth:` to a number from 1 to {len(matches)}" if len(matches) > 1 else "remove `nth:`"
        verbs = "that print or raise contain" if len(matches) > 1 else "that prints or raises contains"
        count = plural(len(matches), "statement") if matches else "no statement"
        raise FenceError(f"{count} {verbs} {keys['of']!r}", remedy)
    return matches[int(nth) - 1]


def _select_part(output: str, part: str) -> str:
    """Return the number or lines of `output` that `part:` selects: `number 1`, `line 1` or `lines 1-2`. Without `part`, return all.

    Raises:
        FenceError: `output` has no such part.
    """
    if not part:
        return output
    match = re.fullmatch(r"(number|line) (\d+)|lines (\d+)-(\d+)", part)
    parts = NUMBER.findall(output) if match and match[1] == "number" else output.split("\n")
    first, last = (int(match[2] or match[3]), int(match[2] or match[4])) if match else (0, 0)
    if not 1 <= first <= last <= len(parts):
        remedy = "write `number 1`, `line 1` or `lines 1-2`, counted in the output of the statement"
        raise FenceError(f"no part {part!r} of {output!r}", remedy)
    return "\n".join(parts[first - 1 : last])


def wrong_answers(keys: dict[str, str], question: Question) -> list[tuple[str, str]]:
    """Return (answer, hint) for each `wrong:` line.

    Raises:
        FenceError: a wrong answer has no hint, is right, repeated or not among the lines to choose from, or there are
            no choices.
    """
    mode = keys.get("answer", "choose")
    answers: list[tuple[str, str]] = []
    for line in keys.get("wrong", "").split("\n") if "wrong" in keys else []:
        answer, hint = split_answer(line)
        if not hint:
            raise FenceError(f"no hint in `wrong: {line}`", "write `wrong: answer -> hint`")
        is_right = (
            is_error(answer, question.error)
            if question.error
            else is_same_answer(answer, question.right, is_strict=mode == "choose")
        )
        if mode == "line":
            is_right = answer == question.right
            if answer not in question.lines:
                remedy = f"write one of: {'; '.join(question.lines)}"
                raise FenceError(f"`wrong:` must be one of the lines to choose from, got {answer!r}", remedy)
        if is_right:
            raise FenceError(f"the wrong answer {answer!r} equals the output {question.right!r}", "remove this answer")
        if any(is_same_answer(answer, other, is_strict=True) for other, _ in answers):
            raise FenceError(f"the wrong answer {answer!r} is repeated", "remove one of the two")
        answers.append((answer, hint))
    if mode == "choose" and not answers:
        raise FenceError("no wrong answers to choose from", "add lines `wrong: answer -> hint`")
    return answers


def split_answer(line: str) -> tuple[str, str]:
    """Split the value of a `wrong:` key into (answer, hint). The hint is empty if the line has none."""
    # The blank lets an arrow at the end of the line separate an answer from an empty hint.
    answer, _, hint = (part.strip() for part in f"{line} ".partition(" -> "))
    return answer, hint


def check_fence(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """Yield (message, remedy) for the first mistake in a predict fence, if it has one. The ledger calls this."""
    problems = list(check_snippet_exists(fence, snippets))
    yield from problems
    if problems:
        return
    snippet = snippets[fence.keys["file"]]
    first, last = snippet.regions.get(fence.keys.get("region", ""), (1, len(snippet.lines)))
    try:
        wrong_answers(fence.keys, build_question(snippet, first, last, fence.keys))
    except FenceError as error:
        yield error.message, error.remedy


PREDICT = FenceType(
    "predict",
    ("file", "ask"),
    ("region", "of", "nth", "part", "answer", "why"),
    check_fence,
    expected_texts,
    lists=("wrong",),
    shows_file=True,
    prose=("ask", "why"),
)


@renders(PREDICT)
def render_predict(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the snippet with hidden output, the question, and the answer in a fold."""
    snippet, first, last = displayed_lines(project, keys)
    question = build_question(snippet, first, last, keys)
    english = dict(page.original or keys)
    answers = wrong_answers(english, question)
    labels = _labels_and_hints(answers, keys) if page.original else {text: (text, hint) for text, hint in answers}
    mode = keys.get("answer", "choose")
    form_id = page.id_for(anchor(snippet.name, "predict"))
    covered = tuple(range(s.last + 1, s.block_last + 1) for s in question.covered)
    join = str if mode == "line" else _join_lines
    hints = {join(label): prose(project, page, hint) for label, hint in labels.values()}
    right = f"an error: {question.right}" if question.error else _join_lines(question.right)
    choices = list(question.lines)
    if mode != "line":
        wrong = dict.fromkeys(map(_join_lines, labels))
        choices = _shuffle([right, *wrong], english["ask"]) if mode == "choose" else []
    label_by_choice = {join(text): join(label) for text, (label, _) in labels.items()}
    script_data = {
        "way": mode,
        "right": question.right if mode == "line" else _join_lines(question.right),
        "error": bool(question.error),
        "choice": choices.index(question.right if mode == "line" else right) if choices else None,
        "said": hints,
    }
    form = render(
        "predict",
        id=form_id,
        prose=partial(prose, project, page),
        ask=keys["ask"],
        is_typed=mode == "typed",
        choices=[label_by_choice.get(text, text) for text in choices],
        no_line=NO_LINE,
        is_phrase=_is_phrase,
        covered=[(snippet.lines[s.first - 1].strip(), _output_blocks(s)) for s in question.covered],
        why=keys.get("why"),
        script_data=script_data,
    )
    # part of the key of the saved answer: after a change of the question, the old answer is ignored
    wording = hashlib.sha256(english["ask"].encode()).hexdigest()[:4]
    return render_snippet(project, page, keys, covered, form, f"{form_id}-{wording}")


def _labels_and_hints(answers: list[tuple[str, str]], keys: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Map each English answer to (label, hint) in the page's language.

    gradnotes.translation.comparison checks that the fences of both pages have the same answers in the same order.
    """
    lines = [split_answer(line) for line in keys["wrong"].split("\n")] if "wrong" in keys else []
    translations = [
        (say(NO_LINE) if text == NO_LINE else label, hint)
        for (text, _), (label, hint) in zip(answers, lines, strict=False)
    ]
    return {text: label for (text, _), label in zip(answers, translations, strict=False)}


def _is_phrase(choice: str) -> bool:
    """Return whether a choice is a phrase such as `an error`, not output of a program."""
    is_sentence = choice.count(" ") >= 3 and _WORDS.fullmatch(choice) is not None
    return choice.startswith(("an ", "a ", "no ", "the ")) or "`" in choice or is_sentence or bool(_HAN.search(choice))


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _shuffle(choices: list[str], salt: str) -> list[str]:
    """Return choices sorted by a hash. This order does not reveal the right choice and is the same in each build."""
    return sorted(choices, key=lambda text: hashlib.sha256(f"{salt}\0{text}".encode()).hexdigest())


def _output_blocks(statement: Statement) -> Markup:
    out = [source_block(">", [line.source for line in statement.output])] if statement.output else []
    out += [block("~", f"{w.type}: {w.message}".split("\n")) for w in statement.warnings]
    if statement.error:
        text = f"{statement.error.type}: {statement.error.message}" if statement.error.message else statement.error.type
        out.append(block("!", text.split("\n")))
    return Markup("".join(out))
