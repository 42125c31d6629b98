"""Build SVG pictures, at the size at which they are displayed.

The standard library writes the elements: drawsvg and svgwrite would add headers and styles, but these pictures take
their styles from the page. A picture is at most WIDE wide, so that it fits a phone without scaling.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

WIDE = 322.0  # px: a screen of 390 px less its margins
MARGIN = 6.0
_MONO, _SANS = 0.602, 0.56  # width of a monospaced and of a sans-serif character, divided by the font size


def width_of(text: str, size: float = 13, is_monospace: bool = True) -> float:
    """Return an upper estimate of the width of a text, in px. `size` is the font size in px."""
    wide = sum(character > "\u2e7f" for character in text)  # Chinese characters are as wide as high
    return wide * size + (len(text) - wide) * size * (_MONO if is_monospace else _SANS)


def number(value: float) -> str:
    """Format a coordinate with at most one decimal: "1.5", "2"."""
    return f"{value:.1f}".removesuffix(".0")


class Picture:
    """An SVG picture whose size grows with its content; coordinates may be negative.

    Coordinates are in px. `kind` is the CSS class of an element. `attributes` are its further attributes, with `_` in
    place of `-`; an attribute whose value is None is left out.
    """

    def __init__(self) -> None:
        self.root = Element("g")
        self.inside = [self.root]  # the groups that are open, the innermost last
        self.left = self.top = float("inf")
        self.right = self.bottom = float("-inf")

    def _reach(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.left, self.top = min(self.left, x0), min(self.top, y0)
        self.right, self.bottom = max(self.right, x1), max(self.bottom, y1)

    def _add(self, tag: str, kind: str, **attributes: Any) -> Element:
        values = {
            name.replace("_", "-"): number(v) if isinstance(v, float) else str(v)
            for name, v in attributes.items()
            if v is not None
        }
        return SubElement(self.inside[-1], tag, {**({"class": kind} if kind else {}), **values})

    def group(self, kind: str = "", **attributes: Any) -> _Group:
        """Return a context manager that puts the elements drawn within it into a `<g>` element."""
        return _Group(self, self._add("g", kind, **attributes))

    def rect(
        self, x: float, y: float, width: float, height: float, kind: str, rx: float = 4.0, **attributes: Any
    ) -> None:
        """Draw a rectangle."""
        self._reach(x, y, x + width, y + height)
        self._add(
            "rect", kind, x=float(x), y=float(y), width=float(width), height=float(height), rx=float(rx), **attributes
        )

    def image(self, x: float, y: float, width: float, height: float, address: str) -> None:
        """Draw the image at `address`. Its pixels stay sharp squares when it is enlarged."""
        self._reach(x, y, x + width, y + height)
        box = {"x": float(x), "y": float(y), "width": float(width), "height": float(height)}
        self._add("image", "f-pixels", **box, preserveAspectRatio="none", href=address)

    def circle(self, x: float, y: float, r: float, kind: str, **attributes: Any) -> None:
        """Draw a circle."""
        self._reach(x - r, y - r, x + r, y + r)
        self._add("circle", kind, cx=float(x), cy=float(y), r=float(r), **attributes)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str = "",
        size: float = 13,
        anchor: str = "start",
        is_monospace: bool = True,
        **attributes: Any,
    ) -> None:
        """Draw a text; `y` is its baseline.

        The CSS class sets color and weight. The font size is an argument, because the size of the picture depends on
        it.
        """
        width = width_of(text, size, is_monospace)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        self._reach(left, y - size, left + width, y + size * 0.3)
        classes = f"{kind} {'f-mono' if is_monospace else 'f-sans'}".strip()
        self._add(
            "text",
            classes,
            x=float(x),
            y=float(y),
            font_size=float(size),
            text_anchor=None if anchor == "start" else anchor,
            **attributes,
        ).text = text

    def line(self, points: list[tuple[float, float]], kind: str, **attributes: Any) -> None:
        """Draw straight lines through the points."""
        for x, y in points:
            self._reach(x, y, x, y)
        self._add("path", kind, d="M" + "L".join(f"{number(x)} {number(y)}" for x, y in points), **attributes)

    def curve(self, start: tuple[float, float], end: tuple[float, float], kind: str, has_head: bool = True) -> None:
        """Draw a curve that is vertical at both ends. If `has_head` is set, add an arrow head at `end`."""
        (x0, y0), (x1, y1) = start, end
        half = (y1 - y0) / 2
        self._reach(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        points = (x0, y0, x0, y0 + half, x1, y1 - half, x1, y1)
        self._add("path", kind, d="M{} {}C{} {} {} {} {} {}".format(*map(number, points)))
        if has_head:
            self.head(end, 1 if y1 > y0 else -1, kind)

    def head(self, at: tuple[float, float], down: int, kind: str) -> None:
        """Draw an arrow head with its tip at `at`. It points down if `down` is 1, up if it is -1."""
        x, y = at
        self.line([(x - 4.5, y - 8 * down), (x, y), (x + 4.5, y - 8 * down)], kind + " f-head")

    def arrow(self, start: tuple[float, float], end: tuple[float, float], kind: str) -> None:
        """Draw a horizontal arrow from `start` to `end`."""
        (x0, y0), (x1, _) = start, end
        direction = 1 if x1 >= x0 else -1
        self.line([start, end], kind)
        self.line([(x1 - 7 * direction, y0 - 4), (x1, y0), (x1 - 7 * direction, y0 + 4)], kind + " f-head")

    def finish(self, identifier: str, title: str, description: str) -> str:
        """Return the picture as an `<svg>` element. Its width is in em, so that a larger font enlarges it.

        `identifier` is the prefix of the HTML ids of title and description.
        """
        width, height = self.right - self.left + 2 * MARGIN, self.bottom - self.top + 2 * MARGIN
        box = " ".join(map(number, (self.left - MARGIN, self.top - MARGIN, width, height)))
        label_ids = f"{identifier}-t {identifier}-d"
        svg = Element(
            "svg", {"viewBox": box, "style": f"width:{width / 16:.4g}em", "role": "img", "aria-labelledby": label_ids}
        )
        SubElement(svg, "title", {"id": f"{identifier}-t"}).text = title
        SubElement(svg, "desc", {"id": f"{identifier}-d"}).text = description
        svg.extend(list(self.root))
        return tostring(svg, encoding="unicode")


class _Group:
    def __init__(self, picture: Picture, element: Element):
        self.picture, self.element = picture, element

    def __enter__(self) -> None:
        self.picture.inside.append(self.element)

    def __exit__(self, *error: object) -> None:
        self.picture.inside.pop()
