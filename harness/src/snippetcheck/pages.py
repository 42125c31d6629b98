"""Find and classify every block of code on a page in Markdown or reStructuredText, and look up which page embeds which snippet.

A block is a snippet, has another registered fence type, or is illustrative with a reason. Any other block is unclassified.
Fences consist of backticks or tildes of any length, in lists, admonitions, tabs and quotations, with any options. A fence
that Markdown would not render, such as in a comment or indented like code, has a problem. Indented code and raw HTML that
shows code are blocks too.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from snippetcheck import rst
from snippetcheck.fence_types import FENCE_TYPES, Fence, FenceType

SUFFIXES = (".md", ".markdown")
PAGE_SUFFIXES = (*SUFFIXES, ".rst")

Roots = Path | str | Sequence[Path]  # a folder of pages, or several folders and pages

_OPEN = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
# A directive of MyST that shows no code, except in fences within it
_NO_CODE_DIRECTIVE = re.compile(
    r"\s*\{(?:admonition|attention|caution|danger|error|hint|important|note|seealso|tip|todo|warning|version\w+|deprecated|"
    r"currentmodule|include|toctree|contents|figure|image|dropdown|tab-(?:set|item)|sidebar|topic|glossary|(?:auto|py:)\w+)\}"
)
_PREFIX = re.compile(r"(?:[ \t]|>)*")
_LIST_MARK = re.compile(r"(?:[-*+]|\d+[.)])[ \t]+")
# Containers of indented blocks: list items, admonitions, tabs, definitions, footnotes.
_CONTAINER = re.compile(r"[-*+][ \t]|\d+[.)][ \t]|(?:!!!|\?\?\?\+?)[ \t]|===[!+]?[ \t]|:[ \t]|\[\^[^\]]+\]:")
_KEY_LINE = re.compile(r"([A-Za-z_-]+):[ \t]*(.*)$")
_ILLUSTRATIVE = re.compile(r"""\billustrative=(["'])(.*?)\1""")
_LANGUAGE = re.compile(r"\{?\s*\.?([\w#+-]+)")
_RAW_HTML = re.compile(r"<(pre|script|textarea|code|samp|kbd|tt|xmp|listing|plaintext|iframe)\b", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<![\\`])(`+)(?!`)(?:.|\n(?!\n))*?(?<!`)\1(?!`)")  # it lies within one paragraph
# Lines outside paragraphs, which indented code can follow without a blank line: headings, rules, definitions of links,
# abbreviations and footnotes without text, HTML, and the first line of an admonition or a tab.
_NO_PARAGRAPH = re.compile(r"#|([-*_=])( *\1)*$|\[(?!\^.*: *\S).+?\]:|\*\[|</?\w|<!|-->|(?:!!!|\?\?\?\+?|===[!+]?) |\|")
_QUOTATION = re.compile(r" *> ?")
_PLACEHOLDER = "\0"  # stands for a fence among the lines outside fences


def fences(page: Path | str) -> list[Fence]:
    """Return the blocks of code on a page, in the order of lines. If the page is not UTF-8, a block with this problem precedes them."""
    blocks = find_fences(text_of(page), Path(page))
    raw = Path(page).read_bytes()
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        blocks.insert(0, _problem_block(Path(page), line, "a page that is not UTF-8", "save it as UTF-8"))
    return blocks


def text_of(page: Path | str) -> str:
    """Return the text of a page, with replacement characters for invalid UTF-8, which `fences` reports."""
    return Path(page).read_bytes().decode("utf-8-sig", "replace")


def pages(root: Roots) -> list[Path]:
    """Return the pages among and below `root`, sorted in each folder."""
    roots = [Path(root)] if isinstance(root, str | Path) else root
    paths = (path for start in roots for path in (sorted(start.rglob("*")) if start.is_dir() else [start]))
    return [path for path in paths if path.suffix in PAGE_SUFFIXES and path.is_file()]


def find_fences(text: str, page: Path | str = "page.md") -> list[Fence]:
    """Return the blocks of code in a text, in the order of lines. The suffix of `page` decides the format."""
    lines = _split_lines(text)
    page = Path(page)
    if page.suffix == ".rst":
        return list(rst.find_blocks(lines, page))
    start = after_front_matter(lines)
    blocks: list[Fence] = []
    outside: list[tuple[int, str]] = []  # lines outside fences, and a placeholder for each fence
    index, comment_end = start, -1
    directive_ends: set[int] = set()
    while index < len(lines):
        opening = _match_opening(lines[index]) if index not in directive_ends else None
        if opening and _NO_CODE_DIRECTIVE.match(opening[2]) and (end := _read_body(lines, index, *opening[:2])[0]):
            directive_ends.add(end)
            opening = None
        if opening is None:
            comment_end = max(comment_end, _end_of_comment(lines, index))
            outside.append((index, lines[index]))
            index += 1
            continue
        fence, indent, info = opening
        end, body = _read_body(lines, index, fence, indent)
        if end is None:
            remedy = f"close it with {fence}; its lines and its end must be indented like its opening"
            blocks.append(_problem_block(page, index + 1, "a fence that is never closed", remedy, info))
            outside.append((index, lines[index]))
            index += 1
            continue
        block = _classify(Fence(page, index + 1, end + 1, "unclassified", info.strip(), tuple(body)))
        if index < comment_end:
            problem = "a fence in an HTML comment, where no reader sees it"
            remedy = "take it out of the comment, or remove it"
            block = replace(block, kind="unclassified", problem=problem, remedy=remedy)
        blocks.append(block)
        outside.append((index, lines[index][:indent] + _PLACEHOLDER))
        index = end + 1
    code = {block.line: block for block in _indented_code(outside, page)}
    problem, remedy = "a fence that is indented like code", "indent it like the text before it"
    for position, block in enumerate(blocks):
        if code.pop(block.line, None):
            blocks[position] = replace(block, problem=problem, remedy=remedy, problem_line=None)
    blocks += [*_raw_html(outside, page), *code.values()]
    return sorted(blocks, key=lambda block: block.line)


def _classify(fence: Fence) -> Fence:
    """Return a fence with the kind that its info string names, and with a problem if it is malformed or nothing checks it."""
    language = _LANGUAGE.match(fence.info)
    kind = FENCE_TYPES.get(language[1]) if language else None
    if kind:
        return _read_keys(fence, kind)
    illustrative = _ILLUSTRATIVE.search(fence.info)
    if illustrative and illustrative[2].strip():
        return replace(fence, kind="illustrative", reason=illustrative[2].strip())
    # Expected lines in a cell of a notebook are not read.
    cell = "`{code-block} python` and " if language and language[1] == "code-cell" else ""
    remedy = (
        f"embed a file with ``` snippet, write {cell}`#>` lines if the setting `examples` names this page, "
        'or write ``` {.text illustrative="why it is not run"}'
    )
    if similar := difflib.get_close_matches(language[1], FENCE_TYPES, n=1, cutoff=0.8) if language else []:
        remedy = f"did you mean ``` {similar[0]}? If not, {remedy}"
    return replace(fence, problem=f"a fence that nothing checks: {fence.info!r}", remedy=remedy)


def _problem_block(page: Path, line: int, problem: str, remedy: str, info: str = "", body: Sequence[str] = ()) -> Fence:
    """Return an unclassified Fence of one line, with its problem and remedy."""
    return Fence(page, line, line, "unclassified", info, tuple(body), problem=problem, remedy=remedy)


def code_spans(text: str, page: Path | str = "page.md") -> list[tuple[int, str]]:
    """Return (line, text) of each code span in the prose of a page, outside front matter.

    The line is the first one of the span. In a fence, only the values of the keys that its type lists in `prose` are prose.
    """
    blocks = find_fences(text, page)
    block_lines = {number for fence in blocks for number in range(fence.line, fence.last_line + 1)}
    lines = _split_lines(text)
    start = after_front_matter(lines)
    prose = [
        "" if index < start or index + 1 in block_lines or _match_opening(line) else line.strip()
        for index, line in enumerate(lines)
    ]
    for fence in blocks:
        prose_keys = FENCE_TYPES[fence.kind].prose if fence.kind in FENCE_TYPES else ()
        for index, key_line in enumerate(fence.body, fence.line):
            match = _KEY_LINE.fullmatch(key_line.strip())
            if match and match[1] in prose_keys:
                prose[index] = match[2]
    spans: list[tuple[int, str]] = []
    for match in _CODE_SPAN.finditer("\n".join(prose)):
        line = match.string.count("\n", 0, match.start()) + 1
        spans.append((line, match[0].strip("`").replace("\n", " ").strip()))
    return spans


def _split_lines(text: str) -> list[str]:
    """Split a text into lines as Markdown does, at fewer characters than `str.splitlines`, and expand tabs."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.expandtabs(4).removesuffix("\n").split("\n")


def after_front_matter(lines: list[str]) -> int:
    """Return the index of the first line after the front matter; 0 without front matter."""
    if lines and lines[0].rstrip() == "---":
        for index, line in enumerate(lines[1:], 1):
            if line.rstrip() in ("---", "..."):
                return index + 1
    return 0


def _match_opening(line: str) -> tuple[str, int, str] | None:
    """Return (fence, indent, info) of a line that opens a fence, also in list items and quotations; None for any other line."""
    column = _PREFIX.match(line).end()  # type: ignore[union-attr]
    while mark := _LIST_MARK.match(line, column):
        column = mark.end()
    match = _OPEN.match(line, column)
    if not match or ("`" in match["fence"] and "`" in match["info"]):
        return None
    return match["fence"], column, match["info"]


def _end_of_comment(lines: list[str], index: int) -> int:
    """Return the index of the line that ends an HTML comment that begins in this line; -1 if no later line ends one."""
    text = _CODE_SPAN.sub("", lines[index])
    if text.rfind("<!--") <= text.rfind("-->"):
        return -1
    return next((last for last in range(index + 1, len(lines)) if "-->" in lines[last]), -1)


def _read_body(lines: list[str], start: int, fence: str, indent: int) -> tuple[int | None, list[str]]:
    """Return the index of the line that closes a fence, and the dedented lines before it; (None, []) if there is none."""
    body: list[str] = []
    for index in range(start + 1, len(lines)):
        line = lines[index]
        prefix = _PREFIX.match(line).group()  # type: ignore[union-attr]
        rest = line[len(prefix) :].rstrip()
        if rest == fence and indent <= len(prefix) <= indent + 3 and ">" not in prefix[indent:]:
            return index, body
        if rest and len(prefix) < indent:
            return None, []
        body.append(line[indent:] if line.strip() else "")
    return None, []


def _read_keys(fence: Fence, kind: FenceType) -> Fence:
    """Return a fence with this kind and the keys in its body, and with a problem if a key is missing or invalid."""
    keys: dict[str, str] = {}
    problem: str | None = None
    remedy, problem_line = kind.usage, fence.line
    for number, text in enumerate(fence.body, fence.line + 1):
        if not text.strip():
            continue
        match = _KEY_LINE.fullmatch(text.strip())
        if not match:
            problem = f"not a `key: value` line: {text.strip()!r}"
        elif match[1] not in kind.keys:
            problem = f"unknown key {match[1]!r} in a {kind.name} fence"
            if similar := difflib.get_close_matches(match[1], kind.keys, n=1):
                remedy = f"did you mean `{similar[0]}:`? {kind.usage[0].upper()}{kind.usage[1:]}"
        elif match[1] in keys and match[1] not in kind.lists:
            problem, remedy = f"key {match[1]!r} is repeated", "keep one of the two"
        elif not match[2].strip():
            problem = f"key {match[1]!r} has no value"
        else:
            before = f"{keys[match[1]]}\n" if match[1] in keys else ""
            keys[match[1]] = before + match[2].strip()
            continue
        problem_line = number
        break
    missing = [key for key in kind.required if key not in keys]
    if problem is None and missing:
        problem = f"a {kind.name} fence without `{missing[0]}:`"
    fence = replace(fence, kind=kind.name, keys=keys)
    return replace(fence, problem=problem, remedy=remedy, problem_line=problem_line) if problem else fence


def _raw_html(outside: list[tuple[int, str]], page: Path) -> Iterator[Fence]:
    for index, text in outside:
        match = _RAW_HTML.search(_CODE_SPAN.sub("", text))
        if match:
            problem = f"raw HTML {match[0]}> that nothing checks"
            yield _problem_block(page, index + 1, problem, "use a fence", match[0], (text,))


def _indented_code(outside: list[tuple[int, str]], page: Path) -> Iterator[Fence]:
    """Yield indented code: lines, also of fences, outside paragraphs and four columns deeper than their container."""
    bases = [0]  # the column of the content of each open container
    is_after_break, is_in_code, is_in_list = True, False, False
    for index, text in outside:
        if not text.strip():
            is_after_break = True
            continue
        column = len(text) - len(text.lstrip(" "))
        rest = text[column:]
        is_fence = rest.endswith(_PLACEHOLDER)
        if is_in_code and column >= bases[-1] + 4 and not is_fence:
            continue
        is_in_code = False
        if is_after_break or is_fence:  # like a blank line, a fence ends a paragraph
            bases = [base for base in bases if base <= column]
            if column >= bases[-1] + 4:
                is_in_code = True
                problem = "a code block by indentation, which nothing checks"
                yield _problem_block(page, index + 1, problem, "use a fence, or indent the text less", body=(rest,))
                continue
        is_item = bool(_LIST_MARK.match(rest))
        is_in_list = is_item if is_after_break or is_fence else is_in_list
        is_after_break = is_fence or bool(_NO_PARAGRAPH.match(rest))
        # A list does not begin inside a paragraph.
        is_container = _CONTAINER.match(rest) and (is_in_list or not is_item)
        if is_container or is_after_break:
            bases = [base for base in bases if base <= column]
        base = column // 4 * 4
        while is_container and (mark := _CONTAINER.match(rest)):  # a list item may begin with another container
            base += 4
            bases.append(base)
            rest = rest[mark.end() :].lstrip() if _LIST_MARK.match(rest) else ""
    yield from _quoted_code(outside, page)


def _quoted_code(outside: list[tuple[int, str]], page: Path) -> Iterator[Fence]:
    """Yield indented code in quotations. Each quotation is parsed as a separate page."""
    quoted_lines: list[tuple[int, str]] = []
    for index, text in [*outside, (-1, "")]:
        mark = _QUOTATION.match(text)
        if mark:
            quoted_lines.append((index, text[mark.end() :]))
        elif quoted_lines:
            yield from _indented_code(quoted_lines, page)
            quoted_lines = []


def snippet_locations(root: Roots, snippets_dir: Path | None = None) -> dict[str, list[Fence]]:
    """Map the name of each snippet that the pages embed to the fences that embed it. See `all_fences` for `snippets_dir`."""
    fences_by_name: dict[str, list[Fence]] = {}
    for fence in all_fences(root, snippets_dir):
        if embeds_snippet(fence):
            fences_by_name.setdefault(fence.keys["file"], []).append(fence)
    return fences_by_name


def embeds_snippet(fence: Fence) -> bool:
    """Return whether a fence embeds the snippet that its `file:` names."""
    return fence.kind in FENCE_TYPES and FENCE_TYPES[fence.kind].shows_file and "file" in fence.keys


def all_fences(root: Roots, snippets_dir: Path | None = None) -> list[Fence]:
    """Return all fences and other blocks of code on the pages among and below `root`.

    A directive that includes a file below `snippets_dir` is returned as a snippet fence.
    """
    return [_as_snippet_fence(fence, snippets_dir) for page in pages(root) for fence in fences(page)]


def _as_snippet_fence(fence: Fence, snippets_dir: Path | None) -> Fence:
    if fence.kind != rst.INCLUDE or snippets_dir is None:
        return fence
    path = (fence.page.parent / fence.keys["file"]).resolve()
    if not path.is_relative_to(snippets_dir):
        return fence
    return replace(fence, kind="snippet", keys={**fence.keys, "file": path.relative_to(snippets_dir).as_posix()})
