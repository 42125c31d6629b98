"""A snippet that asks before it shows: what comes out, or which line raises.

The right answer is what the harness compared with a run; the fence names wrong ones only. Without script, and in print, the answer
is folded beneath the program.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from snippetcheck.kinds import Kind, Snippets, misnamed, outputs
from snippetcheck.numbers import NUMBER
from snippetcheck.pages import Fence
from snippetcheck.snippet import Snippet, Statement
from snippetcheck.source import plural

from gradnotes.fences.answers import is_error, same
from gradnotes.fences.figures import shown_lines, snippet_figure
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, as_attributes, inline
from gradnotes.fences.problems import FenceError
from gradnotes.fences.project import Project, anchor
from gradnotes.fences.prose import prose
from gradnotes.steps.outputs import block, source_block

WAYS = ("choose", "typed", "line")
NO_LINE = "no line raises"


@dataclass(frozen=True)
class Question:
    """What is asked of a snippet: the statement whose output is covered with all later ones, and the right answer."""

    statement: Statement
    covered: tuple[Statement, ...]
    right: str
    error: str  # the type of the error that it raises, or empty
    lines: tuple[str, ...]  # those that can be pointed at


def question(snippet: Snippet, first: int, last: int, keys: dict[str, str]) -> Question:
    """What a fence asks of the shown lines of a snippet. Raises FenceError."""
    way = keys.get("answer", "choose")
    if way not in WAYS:
        raise FenceError(f"no way to answer {way!r}", f"use one of {', '.join(WAYS)}")
    shown = [one for one in snippet.statements if first <= one.first and one.last <= last]
    one = _asked(snippet, shown, keys)
    covered = tuple(other for other in shown if other.first >= one.first and other.block_last > other.last)
    sources = [(other, snippet.lines[other.first - 1].strip()) for other in shown]
    lines = tuple(text for _, text in sources if not text.startswith(("import ", "from ")))
    if way == "line":
        raising = next((text for other, text in sources if other.error), NO_LINE)
        return Question(one, covered, raising, "", (*lines, NO_LINE))
    printed = "\n".join(line.text for line in one.output)
    error = one.error.type if one.error else ""
    if error and "part" not in keys:
        return Question(one, covered, error, error, lines)
    right = _part(printed, keys.get("part", ""))
    if any(line.has_wildcards and line.text in right.split("\n") for line in one.output):
        raise FenceError("the answer is a `#>?` line, in which ... stands for any text", "ask for another part")
    return Question(one, covered, right, "", lines)


def _asked(snippet: Snippet, shown: list[Statement], keys: dict[str, str]) -> Statement:
    speaking = [one for one in shown if one.output or one.error]
    if "of" not in keys:
        if not speaking:
            raise FenceError("nothing that is shown prints or raises", "ask of a snippet or a region that does")
        return speaking[-1]
    found = [one for one in speaking if keys["of"] in "\n".join(snippet.lines[one.first - 1 : one.last])]
    which = keys.get("nth", "1" if len(found) == 1 else "")
    if not which.isdigit() or not 1 <= int(which) <= len(found):
        remedy = f"add `nth:`, from 1 to {len(found)}" if found else "copy text of a line that prints or raises"
        verbs = "that prints or raises has" if len(found) == 1 else "that print or raise have"
        raise FenceError(f"{plural(len(found), 'statement')} {verbs} {keys['of']!r}", remedy)
    return found[int(which) - 1]


def _part(printed: str, part: str) -> str:
    if not part:
        return printed
    match = re.fullmatch(r"(number|line) (\d+)|lines (\d+)-(\d+)", part)
    among = NUMBER.findall(printed) if match and match[1] == "number" else printed.split("\n")
    first, last = (int(match[2] or match[3]), int(match[2] or match[4])) if match else (0, 0)
    if not 1 <= first <= last <= len(among):
        remedy = "write `number 1`, `line 1` or `lines 1-2`, counted in what is printed there"
        raise FenceError(f"no part {part!r} of {printed!r}", remedy)
    return "\n".join(among[first - 1 : last])


def wrong_answers(keys: dict[str, str], asked: Question) -> list[tuple[str, str]]:
    """(answer, what leads on) for each `wrong:`. Raises FenceError for one that is right, or that no reader could give."""
    way = keys.get("answer", "choose")
    found: list[tuple[str, str]] = []
    for line in keys.get("wrong", "").split("\n") if "wrong" in keys else []:
        answer, _, leads_on = (part.strip() for part in line.partition(" -> "))
        right = is_error(answer, asked.error) if asked.error else same(answer, asked.right, strict=way == "choose")
        if way == "line":
            right = answer == asked.right
            if answer not in asked.lines:
                raise FenceError(f"the wrong line {answer!r} is not shown", f"write one of: {'; '.join(asked.lines)}")
        if right:
            raise FenceError(f"the wrong answer {answer!r} is what the run gives, {asked.right!r}", "drop it")
        if any(same(answer, other, strict=True) for other, _ in found):
            raise FenceError(f"the wrong answer {answer!r} is given twice", "keep one of the two")
        found.append((answer, leads_on))
    if way == "choose" and not found:
        raise FenceError("nothing to choose from", "give wrong answers, as `wrong: answer -> what leads on`")
    return found


def check(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """For the ledger: what is wrong with a predict fence."""
    problems = list(misnamed(fence, snippets))
    yield from problems
    if problems:
        return
    snippet = snippets[fence.keys["file"]]
    first, last = snippet.regions.get(fence.keys.get("region", ""), (1, len(snippet.lines)))
    try:
        wrong_answers(fence.keys, question(snippet, first, last, fence.keys))
    except FenceError as error:
        yield error.message, error.remedy


PREDICT = Kind(
    "predict",
    ("file", "ask"),
    ("region", "of", "nth", "part", "answer", "why"),
    check,
    outputs,
    lists=("wrong",),
    shows_file=True,
)


@shows(PREDICT)
def predict(project: Project, page: Page, keys: dict[str, str]) -> str:
    """The snippet with what is asked covered, the question, and the answer folded."""
    snippet, first, last = shown_lines(project, keys)
    asked = question(snippet, first, last, keys)
    wrong = wrong_answers(keys, asked)
    way = keys.get("answer", "choose")
    name = page.id_for(anchor(snippet.name).replace("snippet-", "predict-", 1))
    covered = tuple(range(one.last + 1, one.block_last + 1) for one in asked.covered)
    if way == "line":
        said = {text: prose(project, page, leads_on) for text, leads_on in wrong}
        choices = list(asked.lines)
    else:
        said = {_in_one_line(text): prose(project, page, leads_on) for text, leads_on in wrong}
        right = f"an error: {asked.right}" if asked.error else _in_one_line(asked.right)
        choices = _shuffled([right, *said], keys["ask"]) if way == "choose" else []
    data = {
        "way": way,
        "right": asked.right if way == "line" else asked.error or _in_one_line(asked.right),
        "error": bool(asked.error),
        "choice": choices.index(asked.right if way == "line" else right) if choices else None,
        "said": said,
    }
    why = f'<p class="predict-why">{prose(project, page, keys["why"])}</p>' if "why" in keys else ""
    uncovered = "".join(
        f'<div data-uncovers="{number}"><code class="predict-line">{html.escape(snippet.lines[one.first - 1].strip())}</code>'
        f"<pre><code>{_blocks(one)}</code></pre></div>"
        for number, one in enumerate(asked.covered)
    )
    form = (
        f'<form class="ask"{as_attributes({"id": name})} data-unsearched><fieldset><legend>{prose(project, page, keys["ask"])}</legend>'
        f"{_inputs(name, way, choices)}</fieldset>"
        '<p class="ask-buttons"><button>Answer</button><button type="button" data-show>Show it</button></p></form>'
        '<div class="ask-said" role="status"></div>'
        f'<details class="ask-answer"><summary>What it prints</summary>{uncovered}{why}</details>'
        f'<script type="application/json">{_json(data)}</script>'
    )
    wording = hashlib.sha256(keys["ask"].encode()).hexdigest()[:4]  # another question is to be answered anew
    return snippet_figure(project, page, keys, covered, form, f"{name}-{wording}")


def _inputs(name: str, way: str, choices: list[str]) -> str:
    if way == "typed":
        return f'<input type="text" name="{name}" aria-label="Your answer" autocomplete="off" autocapitalize="off" spellcheck="false">'
    return "".join(
        f'<label><input type="radio" name="{name}" value="{number}"><span>{_choice(text)}</span></label>'
        for number, text in enumerate(choices)
    )


def _choice(text: str) -> str:
    """What is printed in code style; words such as `an error` as words."""
    if text.startswith("an error: "):
        return f"an error: <code>{html.escape(text.removeprefix('an error: '))}</code>"
    words = text == NO_LINE or text.startswith(("an ", "a ", "no ", "the "))
    return inline(text) if words or "`" in text else f"<code>{html.escape(text)}</code>"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _shuffled(choices: list[str], salt: str) -> list[str]:
    """In an order that tells nothing and is the same at each build."""
    return sorted(choices, key=lambda text: hashlib.sha256(f"{salt}\0{text}".encode()).hexdigest())


def _blocks(one: Statement) -> str:
    out = [source_block(">", [line.source for line in one.output])] if one.output else []
    out += [block("~", f"{w.category}: {w.message}".split("\n")) for w in one.warnings]
    if one.error:
        text = f"{one.error.type}: {one.error.message}" if one.error.message else one.error.type
        out.append(block("!", text.split("\n")))
    return "".join(out)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
