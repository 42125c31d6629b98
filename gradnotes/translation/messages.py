"""Collect the texts that the code passes to `say`: the keys that interface.yml must have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_SCRIPT = re.compile(r"""\bsay\((?:"((?:[^"\\]|\\.)*)")""")
_TERNARY = re.compile(r"""\bsay\([^()"]*\? "((?:[^"\\]|\\.)*)" : (?:"((?:[^"\\]|\\.)*)")?""")
_TEMPLATE = re.compile(r"""\bsay\("((?:[^"\\]|\\.)*)"\)""")


def messages(root: Path) -> dict[str, str]:
    """Map each text that the code, scripts and templates of the project pass to `say` to the file of the call."""
    files: dict[str, str] = {}
    for path in sorted((root / "gradnotes").rglob("*.py")):
        for text in _python_messages(path.read_text(encoding="utf-8")):
            files.setdefault(text, path.relative_to(root).as_posix())
    for folder, suffix, patterns in (("docs/assets", ".js", (_SCRIPT, _TERNARY)), ("overrides", ".html", (_TEMPLATE,))):
        for path in sorted((root / folder).rglob(f"*{suffix}")):
            for pattern in patterns:
                for match in pattern.finditer(path.read_text(encoding="utf-8")):
                    for text in filter(None, match.groups()):
                        files.setdefault(text.replace('\\"', '"'), path.relative_to(root).as_posix())
    return files


def _python_messages(source: str) -> Iterator[str]:
    """Yield the constant messages of calls of `say` and `translatable`; of a pair, the plural, which other languages translate."""
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
