"""Write a figure as Markdown with pictures that need nothing else: each frame is an SVG in a `data:` address.

The address stands in an `<img>` element: VS Code does not accept an SVG in `![](...)`, and Jupyter does not accept one
among the attachments of a cell. A picture has the colors of the light theme on a white ground, so that it is legible
on any background.
"""

from __future__ import annotations

import base64
import copy
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import tinycss2

from gradnotes import inputs
from gradnotes.figures.panels import BREAK, Drawing, Frame, Panel
from gradnotes.figures.svg import MARGIN, number
from gradnotes.project import Project

STYLE_SHEETS = ("assets/site.css", "assets/figures.css")  # below docs/: colors and fonts, rules of the figures
FRAMES = 2  # a figure with more frames shows the first and the last
_ROW, _GAP, _PADDING = 760.0, 14.0, 10.0  # px: widest row of panels, space between panels, space around them
_VAR = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
_FIGURE_SELECTOR = re.compile(r"\.(f-|drawn [.\w])")
_LIGHT_THEME = ("[data-md-color-scheme]", ":root")  # the selectors of its variables
_CLASS = re.compile(r"\.(f-[\w-]+)")


def figure_markdown(drawing: Drawing, caption: str, style: StyleSheet, link: str) -> str:
    """Return a figure in Markdown: a picture of each frame, the sentences below them, and the caption.

    If there are more than FRAMES frames, only the first and the last are included. Of several marks, the mark that the page
    highlights at first is highlighted. `link` follows the caption: a link to the figure on the page, or "".
    """
    frames = drawing.frames if len(drawing.frames) <= FRAMES else [drawing.frames[0], drawing.frames[-1]]
    blocks = []
    for frame in frames:
        alt_text = " ".join(panel.alt_text for panel in frame.panels if isinstance(panel, Panel))
        blocks.append(_image(_svg(frame, drawing.first, style), alt_text))
        if len(drawing.frames) > 1:
            blocks.append(f"**{frame.label}:** {frame.caption}")
        elif frame.caption:
            blocks.append(frame.caption)
    if drawing.marks:
        blocks.append(drawing.marks[drawing.first])
    blocks.append(" ".join(filter(None, ["**Figure.**", caption, link])))
    return "\n\n".join(blocks)


def _image(svg: str, alt_text: str) -> str:
    encoded = base64.b64encode(svg.encode()).decode()
    alt = html.escape(" ".join(alt_text.split()))
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{encoded}">'


@dataclass(frozen=True)
class StyleSheet:
    """The rules of the site's style sheets for figures, with the values of the light theme."""

    rules: tuple[tuple[str, str], ...]  # (selector, declarations)

    def for_classes(self, classes: set[str]) -> str:
        """Return the rules that can apply to elements with these classes, as CSS."""
        return "".join(
            f"{selector}{{{declarations}}}"
            for selector, declarations in self.rules
            if classes.issuperset(_CLASS.findall(selector))
        )


def load_style_sheet(project: Project) -> StyleSheet | None:
    """Return the style sheet of the project's figures, or None if one of STYLE_SHEETS is missing."""
    paths = [project.docs / name for name in STYLE_SHEETS]
    if not all([inputs.is_file(path) for path in paths]):
        return None
    return project.memoize("figure styles", lambda: parse_style_sheet("\n".join(map(inputs.read_text, paths))))


def parse_style_sheet(text: str) -> StyleSheet:
    """Return the rules for figures, with the value of each variable in its place.

    Rules in `@media` blocks are left out: a picture is seen neither on paper nor in the dark theme of the site.
    """
    rules = [
        (_selectors(rule.prelude), tinycss2.parse_blocks_contents(rule.content))
        for rule in tinycss2.parse_stylesheet(text)
        if rule.type == "qualified-rule"
    ]
    variables = {
        declaration.name: tinycss2.serialize(declaration.value).strip()
        for selectors, declarations in rules
        if any(selector in _LIGHT_THEME for selector in selectors)
        for declaration in declarations
        if declaration.type == "declaration" and declaration.name.startswith("--")
    }

    def value(match: re.Match[str]) -> str:
        return variables.get(match[1]) or match[2] or "inherit"

    def resolve(declarations: list[Any]) -> str:
        resolved = "; ".join(
            f"{declaration.name}: {tinycss2.serialize(declaration.value).strip()}"
            for declaration in declarations
            if declaration.type == "declaration"
        )
        for _ in range(5):  # a value may contain variables
            resolved = _VAR.sub(value, resolved)
        return resolved

    return StyleSheet(
        tuple(
            (selector, resolve(declarations))
            for selectors, declarations in rules
            for selector in selectors
            if _FIGURE_SELECTOR.match(selector)
        )
    )


def _selectors(prelude: list[Any]) -> list[str]:
    """Return the selectors of a rule, which commas separate."""
    selectors: list[list[Any]] = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        elif token.type != "comment":
            selectors[-1].append(token)
    return [tinycss2.serialize(tokens).strip() for tokens in selectors]


def _svg(frame: Frame, mark: int, style: StyleSheet) -> str:
    """Return a frame as one SVG file: its panels side by side, with the signs between them, in rows."""
    content = Element("g")
    right = top = _PADDING
    for row in _rows(frame):
        heights = [_size(panel)[1] for _, panel in row]
        left = _PADDING
        for (sign, panel), height in zip(row, heights, strict=True):
            middle = top + max(heights) / 2
            if sign:
                attributes = {"x": number(left), "y": number(middle + 6), "font-size": "20", "class": "f-sans f-soft"}
                SubElement(content, "text", attributes).text = sign
                left += _sign_width(sign)
            picture = panel.picture
            x, y = number(left - picture.left + MARGIN), number(middle - height / 2 - picture.top + MARGIN)
            group = SubElement(content, "g", {"transform": f"translate({x} {y})"})
            group.extend(copy.deepcopy(list(picture.root)))
            left += _size(panel)[0] + _GAP
        right, top = max(right, left - _GAP), top + max(heights) + _GAP
    _highlight(content, mark)
    size = {"width": number(right + _PADDING), "height": number(top - _GAP + _PADDING)}
    box = (
        f"0 0 {size['width']} {size['height']}"  # a narrow window then makes the picture smaller instead of cutting it
    )
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "drawn", "viewBox": box, **size})
    classes = {name for element in content.iter() for name in element.get("class", "").split()}
    SubElement(svg, "style").text = style.for_classes(classes)
    SubElement(svg, "rect", {**size, "rx": "6", "style": "fill:#fff;stroke:none"})
    svg.extend(list(content))
    return tostring(svg, encoding="unicode")


def _rows(frame: Frame) -> Iterator[list[tuple[str, Panel]]]:
    """Yield the rows of a frame. An item of a row is (sign, panel): the sign stands before the panel."""
    row: list[tuple[str, Panel]] = []
    sign, width = "", 0.0
    for panel in frame.panels:
        if isinstance(panel, str):
            if panel == BREAK and row:
                yield row
                row, width = [], 0.0
            sign = "" if panel == BREAK else panel
            continue
        needed_width = _size(panel)[0] + (_sign_width(sign) if sign else 0) + _GAP
        if row and width + needed_width > _ROW:
            yield row
            row, width = [], 0.0
        row.append((sign, panel))
        sign, width = "", width + needed_width
    if row:
        yield row


def _sign_width(sign: str) -> float:
    return 12.0 * len(sign) + _GAP


def _size(panel: Panel) -> tuple[float, float]:
    picture = panel.picture
    return picture.right - picture.left + 2 * MARGIN, picture.bottom - picture.top + 2 * MARGIN


def _highlight(content: Element, mark: int) -> None:
    """Highlight the elements of one mark, as docs/assets/figures.js does, and remove what the style sheet then hides."""
    for parent in content.iter():
        for element in list(parent):
            position = element.attrib.pop("data-mark", None)
            if position is None:
                continue
            classes = [name for name in element.get("class", "").split() if name != "f-lit"]
            if int(position) == mark:
                element.set("class", " ".join([*classes, "f-lit"]))
            elif "f-mark" in classes:
                parent.remove(element)
            else:
                element.set("class", " ".join(classes))
