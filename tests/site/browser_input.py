"""Paste a program into the editor of a page, replacing its text."""

from __future__ import annotations

from playwright.sync_api import Locator

_PASTE = """(editor, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def paste(editor: Locator, text: str) -> None:
    """Replace the program in the editor by `text`. (Playwright's `fill` would also replace the outputs shown between its lines.)"""
    editor.press("Control+a")
    editor.evaluate(_PASTE, text)
