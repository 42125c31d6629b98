"""Compare Chinese texts with the English texts that they translate: structure, code, numbers and typography."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gradnotes import front_matter, inputs
from gradnotes.exercises.parser import load as load_exercise
from gradnotes.fences import error_cards
from gradnotes.fences.predict import split_answer
from gradnotes.notes import chinese
from gradnotes.notes.chinese import Translation
from gradnotes.problems import InputError, Problem, close_match
from gradnotes.project import Project
from gradnotes.translation import sources
from gradnotes.translation.blocks import Block, parse_blocks
from gradnotes.translation.sources import EXERCISES, FOLDER, GLOSSARY, PREFIX, SNIPPETS

COMMAND = ".venv/bin/python -m gradnotes.translation"
TABLES = (EXERCISES, SNIPPETS, GLOSSARY)
# The answers of predictions that are fixed phrases, with their Chinese.
ANSWERS = {"an error": "报错", "no line raises": "都不报错"}
# keys of fences whose values are words in the language of the page
_WORDS = {"ask", "why", "caption", "labels", "rows", "columns", "unit", "along", "missing"}
_CARD = "card fence"
_GLOSSARY_KEYS = ("term", "forms", "text", "marked")
_HAN = re.compile(r"[\u3400-\u9fff]")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_FORMULA = re.compile(r"\$\$[^$]+\$\$|\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)")
_WORDS_IN_FORMULA = re.compile(r"\\text\{([^{}]*)\}")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_REASON = re.compile(r'illustrative="([^"]*)"')
_ATTRIBUTES = re.compile(r"\{:? ?[#.][^}]*\}")
_TAG = re.compile(r"</?[a-z][^<>]*>")
_LIST_MARK = re.compile(r"^ *(?:[-*+]|\d+[.)]|#+|>) +", re.MULTILINE)
_TITLE = re.compile(r'^ *(?:!!!|\?\?\?\+?) \w+ *"(.*)"$')
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "sixty-four": 64,
    "hundred": 100,
    "thousand": 1000,
}
_OTHER_WORDS = {"once": 1, "twice": 2, "half": 2, "both": 2, "single": 1, "a": 1, "pair": 2, "quarter": 4, "last": 1}


@dataclass(frozen=True)
class Page:
    """A page in both languages."""

    name: str  # below docs/
    english: list[Block]
    chinese: list[Block]
    front: front_matter.FrontMatter
    english_front: front_matter.FrontMatter

    @property
    def file(self) -> str:
        """Return the path of the Chinese file below the root."""
        return f"{FOLDER}/{self.name}"


def read_page(root: Path, name: str) -> Page:
    """Read a page in both languages.

    Raises:
        InputError: one of the two files cannot be read.
    """
    english = inputs.read_text(root / "docs" / name, f"docs/{name}")
    text = inputs.read_text(root / FOLDER / name, f"{FOLDER}/{name}")
    front, english_front = (front_matter.read(root / folder, name) for folder in (FOLDER, "docs"))
    blocks, english_blocks = parse_blocks(text, f"{FOLDER}/{name}"), parse_blocks(english, f"docs/{name}")
    if any(block.kind == _CARD for block in english_blocks):
        project = Project(root)
        blocks, english_blocks = (
            _with_quotes(project, f"{PREFIX}{name}", blocks),
            _with_quotes(project, name, english_blocks),
        )
    return Page(name, english_blocks, blocks, front, english_front)


def _with_quotes(project: Project, page: str, blocks: list[Block]) -> list[Block]:
    quotes = error_cards.quotes_by_line(project, page)
    return [replace(block, quotes=quotes.get(block.line, {})) for block in blocks]


# -- structure


def flat(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def page_problems(page: Page) -> Iterator[Problem]:
    """Yield the differences between a Chinese page and its English page, and the mistakes in the Chinese typography.

    If the pages have different kinds of blocks, the texts of the blocks are not compared.
    """

    def problem(line: int, message: str, remedy: str) -> Problem:
        return Problem(page.file, line, message, remedy)

    yield from (replace(problem, page=page.file) for problem in page.front.problems)
    for key in page.front.values:
        if key not in sources.TRANSLATED_KEYS or (key == "stretches" and page.name != "index.md"):
            yield problem(
                page.front.lines.get(key, 1),
                f"`{key}` is not allowed in a Chinese page",
                "remove it: it is taken from the English page",
            )
    last_pages, english_last_pages = (
        [last for _, last in f.values.get("stretches", [])] for f in (page.front, page.english_front)
    )
    if last_pages != english_last_pages:
        message = f"`stretches` end with the pages {last_pages}, in English {english_last_pages}"
        yield problem(page.front.lines.get("stretches", 1), message, "end them with the same pages")
    for key in ("title", "description"):
        text = page.front.values.get(key)
        if not text:
            yield problem(1, f"no `{key}` in the front matter", f"write the Chinese of the English `{key}`")
        else:
            for message in chinese.problems(_prose(text)):
                yield problem(page.front.lines.get(key, 1), message, "correct it")
    kinds, english_kinds = [block.kind for block in page.chinese], [block.kind for block in page.english]
    if kinds != english_kinds:
        yield from _kind_differences(page, kinds, english_kinds)
        return
    for block, english in zip(page.chinese, page.english, strict=True):
        for line, message, remedy in _block_problems(block, english):
            yield problem(line, f"{message} (docs/{page.name}:{english.line})", remedy)


def _kind_differences(page: Page, kinds: list[str], english_kinds: list[str]) -> Iterator[Problem]:
    for tag, first, last, english_first, english_last in difflib.SequenceMatcher(
        None, kinds, english_kinds, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            continue
        line = (
            page.chinese[first].line if first < len(page.chinese) else page.chinese[-1].last_line if page.chinese else 1
        )
        english = page.english[min(english_first, len(page.english) - 1)] if page.english else None
        chinese_names = ", ".join(kinds[first:last]) or "nothing"
        english_names = ", ".join(english_kinds[english_first:english_last]) or "nothing"
        message = f"blocks differ: got {chinese_names}, the English page has {english_names}"
        source = f"{english.line}: {flat(english.text)[:60]}" if english else "1, which has no text yet"
        yield Problem(page.file, line, message, f"follow docs/{page.name}:{source}")


def _block_problems(block: Block, english: Block) -> Iterator[tuple[int, str, str]]:
    if block.fence and english.fence:
        yield from _fence_problems(block, english)
        return
    if block.anchor != english.anchor:
        yield (
            block.line,
            f"anchor must be {english.anchor!r}, got {block.anchor!r}",
            f"write {{#{english.anchor}}} after the heading",
        )
    for message in text_problems(block.text, english.text):
        yield block.line, message, "correct the Chinese text"


def _fence_problems(block: Block, english: Block) -> Iterator[tuple[int, str, str]]:
    assert block.fence and english.fence
    if block.fence.problem:
        yield block.fence.problem_line or block.line, block.fence.problem, block.fence.remedy or "correct it"
        return
    keys, english_keys = block.fence.keys, english.fence.keys
    if not english_keys:
        code, english_code = (flat(_REASON.sub("", fence_block.text, count=1)) for fence_block in (block, english))
        if code != english_code:
            yield block.line, "the code block differs from the English page", "copy it from the English page"
        reasons = [match[1] for match in map(_REASON.search, (block.text, english.text)) if match]
        if len(reasons) == 2 and " " in _bare(reasons[0]) and not _HAN.search(reasons[0]):
            yield block.line, "the reason of `illustrative` is still English", "write it in Chinese"
        return
    for key in dict.fromkeys([*english_keys, *keys]):
        line = _line_of_key(block, key)
        if key not in keys or key not in english_keys:
            yield (
                line,
                f"key `{key}` is only in {'Chinese' if key in keys else 'English'}",
                "write the keys of the English fence",
            )
        elif key == "wrong":
            yield from _wrong_problems(block, keys[key].split("\n"), english_keys[key].split("\n"))
        elif key in english.quotes:
            for message in text_problems(block.quotes.get(key, ""), english.quotes[key]):
                yield line, f"`{key}`: {message}", "correct the Chinese text"
        elif key not in _WORDS:
            if keys[key] != english_keys[key]:
                yield (
                    line,
                    f"`{key}` must be {english_keys[key]!r}, got {keys[key]!r}",
                    f"write `{key}: {english_keys[key]}`",
                )
        elif keys[key] != english_keys[key]:
            # The semicolons between labels are syntax, in both languages.
            text = keys[key].replace("; ", "；") if key == "labels" else keys[key]
            for message in text_problems(text, english_keys[key]):
                yield line, f"`{key}`: {message}", "correct the Chinese text"
        elif key in ("ask", "why", "caption") and " " in _bare(keys[key]).strip():
            yield line, f"`{key}` is still English", "write it in Chinese"


def _wrong_problems(block: Block, answers: list[str], english_answers: list[str]) -> Iterator[tuple[int, str, str]]:
    if len(answers) != len(english_answers):
        yield (
            block.line,
            f"got {len(answers)} wrong answers, the English page has {len(english_answers)}",
            "write one `wrong:` line for each",
        )
        return
    for number, (line, english_line) in enumerate(zip(answers, english_answers, strict=True)):
        location = _line_of_key(block, "wrong", number)
        (answer, hint), (english, english_hint) = split_answer(line), split_answer(english_line)
        phrase = ANSWERS.get(english)
        if phrase:
            if answer != phrase:
                yield location, f"the answer {answer!r} must be {phrase!r}", f"write `wrong: {phrase} -> ...`"
        elif answer != english and not (_HAN.search(answer) and not text_differences(answer, english)):
            yield (
                location,
                f"the answer {answer!r} differs from {english!r}",
                "copy output and code; words may be Chinese",
            )
        if not hint:
            yield location, f"no hint in `wrong: {line}`", "write `wrong: answer -> hint`"
        for message in text_problems(hint, english_hint):
            yield location, f"hint: {message}", "correct the Chinese text"


def _line_of_key(block: Block, key: str, number: int = 0) -> int:
    """Return the line of a fence's key, or of the fence without it; `number` counts repetitions of the key from 0."""
    lines = [at for at, text in enumerate(block.text.split("\n")) if text.strip().startswith(f"{key}:")]
    return block.line + (lines[number] if number < len(lines) else 0)


def text_problems(text: str, english: str) -> Iterator[str]:
    """Yield a message for each difference between a Chinese text and its English, and each mistake in typography."""
    yield from text_differences(text, english)
    yield from chinese.problems(_prose(text))


def text_differences(text: str, english: str) -> list[str]:
    """Return a message for each difference of a Chinese text from its English in links, code, formulas or numbers."""
    messages = []
    if _targets(text) != _targets(english):
        messages.append(f"links are {_targets(text)}, in English {_targets(english)}")
    for name, collect in (("code", _codes), ("formulas", _formulas), ("HTML tags", _tags)):
        actual, expected = collect(text), collect(english)
        if actual != expected:
            messages.append(f"{name}: {_only(actual - expected, expected - actual)}")
    if surplus := _names_in_formulas(text) - _names_in_formulas(english):
        messages.append(f"names in formulas: {_only(surplus, set())}")
    numbers, expected = _numbers(text), _numbers(english)
    surplus = {number for number in numbers - expected if float(number) not in _numbers_in_words(english)}
    if surplus or expected - numbers:
        messages.append(f"numbers: {_only(surplus, expected - numbers)}")
    return messages


def _codes(text: str) -> set[str]:
    return {flat(match[0]) for match in _CODE.finditer(text)}


def _tags(text: str) -> set[str]:
    return set(_TAG.findall(_CODE.sub("", text)))


def _formulas(text: str) -> set[str]:
    r"""Return the formulas of a text without the words in \text{}, which are in the language of the page."""
    return {flat(_WORDS_IN_FORMULA.sub(r"\\text{}", formula)) for formula in _FORMULA.findall(text)}


def _names_in_formulas(text: str) -> set[str]:
    r"""Return the texts in the \text{} of formulas, without those in Chinese. They are names from programs, for example."""
    words = (word for formula in _FORMULA.findall(text) for word in _WORDS_IN_FORMULA.findall(formula))
    return {word for word in words if not _HAN.search(word)}


def _only(chinese_only: set[str], english_only: set[str]) -> str:
    parts = [
        f"only in {language}: {', '.join(sorted(items))}"
        for language, items in (("Chinese", chinese_only), ("English", english_only))
        if items
    ]
    return "; ".join(parts)


def _targets(text: str) -> list[str]:
    return sorted(target for _, target in _LINK.findall(_CODE.sub("``", text)))


def _bare(text: str) -> str:
    """Return a Markdown text without code, formulas, link targets, attribute lists and list marks."""
    text = _FORMULA.sub("", _CODE.sub("", text))
    return _LIST_MARK.sub("", _ATTRIBUTES.sub("", _LINK.sub(r"\1", text)))


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "").strip() for number in _NUMBER.findall(_bare(text))}


def _numbers_in_words(text: str) -> set[float]:
    """Return the numbers that an English text spells out, such as 3 for "three" or "third"."""
    words = re.findall(r"[a-z]+(?:-[a-z]+)?", text.lower())
    values = {word: number for numbers in (_NUMBER_WORDS, _ORDINALS) for number, word in enumerate(numbers)}
    values |= _TENS | _OTHER_WORDS
    return {float(values[word]) for word in words if word in values} | {0.5 for word in words if word == "half"}


def _prose(text: str) -> str:
    """Return a Markdown text as plain prose, without HTML tags. Each code span and each formula becomes `x`, in backticks."""
    text = _TITLE.sub(r"\1", text.strip())
    text = _TAG.sub("", _FORMULA.sub("`x`", _CODE.sub("`x`", text)))
    text = _LIST_MARK.sub("", _ATTRIBUTES.sub("", _LINK.sub(r"\1", text)))
    text = re.sub(r" *(?<!\\)\| *|^[-:\n]+$", "\n\n", text.replace("**", ""), flags=re.MULTILINE)
    return re.sub(r"(?<=[\u3000-\uffef])\n *(?=[\u3000-\uffef])", "", text).strip()


# -- short texts


def table_translations(root: Path, name: str) -> list[Translation]:
    """Return the entries of a YAML file of i18n/zh with their English texts. Entries without English are left out."""
    table = sources.read_table(root, name)
    translations = []
    for key, value in table.items():
        english = _english_of(root, name, key)
        if english is not None:
            line = sources.line_of(root, name, key)
            translations.append(Translation(f"{name} {key}", f"{FOLDER}/{name}", line, str(english), str(value)))
    return translations


def _english_of(root: Path, name: str, key: str) -> Any:
    """Return the English text of entry `key` of a YAML file (for an exercise, a dict), or None if there is none."""
    if name == GLOSSARY:
        return _terms(root).get(key)
    folder = "exercises" if name == EXERCISES else "snippets"
    file, _, region = key.partition("#")
    path = root / folder / f"{file}.py"
    if ".." in key.split("/") or not path.is_file():
        return None
    if name == EXERCISES:
        return sources.exercise_texts(load_exercise(path, root / "exercises"))
    if region:
        return region if f"# region: {region}\n" in path.read_text(encoding="utf-8") else None
    match = re.match(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)
    return flat(match[1]).removesuffix(".") if match else None


def _terms(root: Path) -> dict[str, str]:
    path = root / "docs" / "glossary.yml"
    table = inputs.parse_yaml(inputs.read_text(path, path.name), path.name) if path.is_file() else None
    return {str(key): str(text) for key, text in (table or {}).items()}


def table_problems(root: Path, name: str) -> Iterator[Problem]:
    """Yield the problems of the entries of a YAML file of i18n/zh. Module `freshness` reports outdated entries.

    Raises InputError if the file is malformed.
    """
    for key, value in sources.read_table(root, name).items():
        line = sources.line_of(root, name, key)
        english = _english_of(root, name, key)

        def problem(
            message: str, remedy: str = "correct the Chinese text", line: int = line, key: str = key
        ) -> Problem:
            return Problem(f"{FOLDER}/{name}", line, f"{key}: {message}", remedy)

        if english is None:
            yield problem("no English text has this id", "correct the id or remove the entry")
        elif name == EXERCISES:
            yield from map(problem, _exercise_problems(value, english))
        elif name == SNIPPETS:
            yield from map(problem, text_problems(value, english) if isinstance(value, str) else ["must be a text"])
        elif not isinstance(value, dict) or not all(isinstance(value.get(k), str) for k in ("term", "text")):
            yield problem("needs `term` and `text`", "write both below the English term")
        else:
            for key in sorted(set(map(str, value)) - set(_GLOSSARY_KEYS))[:1]:
                yield problem(f"unknown key {key!r}", close_match(key, _GLOSSARY_KEYS))
            yield from map(problem, text_problems(value["text"], english))


def _exercise_problems(value: Any, english: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(value, dict):
        yield "must have `question` and the other texts below it"
        return
    for key in dict.fromkeys([*english, *value]):
        texts, expected = value.get(key), english.get(key)
        if texts is None or expected is None:
            yield f"`{key}` is only in {'Chinese' if expected is None else 'English'}"
        elif key == "wrong":
            if not isinstance(texts, dict) or set(texts) != set(expected):
                yield f"`wrong` must have the labels {', '.join(map(repr, expected))}"
            else:
                for label, text in texts.items():
                    yield from (f"wrong {label!r}: {message}" for message in text_problems(str(text), expected[label]))
        elif not isinstance(texts, list) or len(texts) != len(expected) or not all(isinstance(t, str) for t in texts):
            yield f"`{key}` must be a list of {len(expected)} texts"
        else:
            for number, (text, original) in enumerate(zip(texts, expected, strict=True), 1):
                if key == "asserts":
                    braces, expected_braces = (sorted(re.findall(r"\{[^{}]*\}", t)) for t in (text, original))
                    if braces != expected_braces:
                        yield f"assert {number}: braces are {braces}, in English {expected_braces}"
                    text, original = (re.sub(r" ?\{[^{}]*\} ?", "", t) for t in (text, original))
                yield from (f"{key} {number}: {message}" for message in text_problems(text, original))


def structure_problems(root: Path, name: str) -> list[Problem]:
    """Return the problems of a page or a YAML file of i18n/zh. A file that cannot be read is one problem.

    Module `freshness` reports outdated texts.
    """
    if name not in TABLES and not (root / "docs" / name).is_file():
        remedy = "move it as the English page was moved, or remove it"
        return [Problem(f"{FOLDER}/{name}", 1, f"no English page docs/{name}", remedy)]
    try:
        return list(table_problems(root, name)) if name in TABLES else list(page_problems(read_page(root, name)))
    except InputError as error:
        return [Problem(f"{FOLDER}/{name}", 1, error.message, error.remedy)]


def names_with_chinese(root: Path) -> list[str]:
    """Return the Chinese pages and the files of TABLES that exist, as paths below i18n/zh."""
    return [*sources.page_names(root), *(name for name in TABLES if (root / FOLDER / name).is_file())]
