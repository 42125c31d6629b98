"""Collect the texts that the code passes to `say`. i18n/zh/interface.yml must have a translation of each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

_SCRIPT = re.compile(r"""\bsay\((?:"((?:[^"\\]|\\.)*)")""")
_TERNARY = re.compile(r"""\bsay\([^()"]*\? "((?:[^"\\]|\\.)*)" : (?:"((?:[^"\\]|\\.)*)")?""")
_TEMPLATES = Environment(extensions=["jinja2.ext.do"])


def messages(root: Path) -> dict[str, str]:
    """Map each text in a call of `say`, in code, scripts and templates of the project, to the file of its first call."""
    files: dict[str, str] = {}
    for folder, suffix, find in (
        ("gradnotes", ".py", _python_messages),
        ("gradnotes/templates", ".html", _template_messages),
        ("overrides", ".html", _template_messages),
        ("docs/assets", ".js", _script_messages),
    ):
        for path in sorted((root / folder).rglob(f"*{suffix}")):
            for text in find(path.read_text(encoding="utf-8")):
                files.setdefault(text, path.relative_to(root).as_posix())
    return files


def _template_messages(source: str) -> Iterator[str]:
    """Yield the text of each call of `say` or `say_html` in a template; of a call with a plural, only the plural."""
    for call in _TEMPLATES.parse(source).find_all(nodes.Call):
        name = call.node.name if isinstance(call.node, nodes.Name) else getattr(call.node, "attr", "")
        texts = [argument.value for argument in call.args[:2] if isinstance(argument, nodes.Const)]
        if name in ("say", "say_html") and texts:
            yield str(texts[-1])


def _script_messages(source: str) -> Iterator[str]:
    """Yield the text of each call of `say` in JavaScript; of `say(a ? "x" : "y")` both texts."""
    for pattern in (_SCRIPT, _TERNARY):
        for match in pattern.finditer(source):
            yield from (text.replace('\\"', '"') for text in match.groups() if text)


def _python_messages(source: str) -> Iterator[str]:
    """Yield the text of each call of `say` or `translatable` in Python; of a call with a plural, only the plural."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("say", "translatable")
            and node.args
        ):
            texts = [argument.value for argument in node.args[:2] if isinstance(argument, ast.Constant)]
            if texts:
                yield str(texts[-1])
