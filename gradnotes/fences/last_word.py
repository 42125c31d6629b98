"""Keep the last word of a paragraph beside the one before it if it is short.

Browsers avoid a last line of one word (`text-wrap: pretty`), but not always if the paragraph has code or terms in it.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor

NO_BREAK = "\u00a0"
_TAGS = ("p", "li")
_SHORT = re.compile(r" (?=[^\s\x02]{1,4}\s*$)")  # the space before a last word of four characters, punctuation included


class LastWord(Treeprocessor):
    """The Markdown processor that replaces the space before such a word by a no-break space."""

    def run(self, root: Element) -> None:
        """Change the paragraphs and list items that have elements in them."""
        for element in root.iter():
            if element.tag in _TAGS and len(element):
                keep_last_word(element)


def keep_last_word(element: Element) -> None:
    """Replace the space before the last word of `element`: a short word, or a short code with at most two punctuation marks."""
    last = element[-1]
    tail = (last.tail or "").rstrip()
    if " " in tail:
        last.tail = _SHORT.sub(NO_BREAK, last.tail or "")
    elif last.tag == "code" and not len(last) and len(last.text or "") < 6 and len(tail) <= 2:
        if len(element) == 1:
            element.text = re.sub(r" $", NO_BREAK, element.text or "")
        else:
            element[-2].tail = re.sub(r" $", NO_BREAK, element[-2].tail or "")
