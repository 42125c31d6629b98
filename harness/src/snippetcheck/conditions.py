"""Evaluate the `# when:` line of a manifest: conditions on Python, on the platform and on installed packages.

# when: python >= 3.12 and numpy >= 2, < 3 and platform == linux
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Callable, Iterator, Sequence

from packaging.specifiers import InvalidSpecifier, Specifier, SpecifierSet
from packaging.utils import canonicalize_name

PLATFORMS = ("linux", "darwin", "win32")  # values of sys.platform
_CONDITION = re.compile(r"([A-Za-z0-9][\w.-]*)\s*([<>=!~].*)")
_PLATFORM = re.compile(r"(==|!=)\s*(\w+)")


def _unmet_reason(name: str, specifier: str) -> str:
    """Return why this machine does not meet a condition; an empty string if this machine meets it."""
    if name == "platform":
        sign, _, value = specifier.partition("=")
        return "" if (sys.platform == value.strip(" =")) != (sign == "!") else f"and this is {sys.platform}"
    if name == "python":
        version = platform.python_version().rstrip("+")  # builds between two releases end in "+"
    else:
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return "which is not installed"
    return "" if SpecifierSet(specifier).contains(version, prereleases=True) else f"and {version} is installed"


def unmet_condition(when: str) -> str | None:
    """Return a sentence with the first condition in `when` that this machine does not meet; None if all are met."""
    for name, specifier in _conditions(when):
        if reason := _unmet_reason(name, specifier):
            return f"needs {name} {specifier}, {reason}"
    return None


def check_conditions(when: str, packages: Sequence[str] | None, fail: Callable[[str, str], Exception]) -> None:
    """Raise an error if a condition is malformed or names neither Python, the platform nor one of the packages.

    A misspelt name is an error, since the snippet would be skipped everywhere.

    Args:
        packages: the names of packages that conditions may use; None allows any name.
        fail: called with a message and a remedy; returns the error to raise.
    """
    for name, specifier in _conditions(when):
        if not specifier:
            remedy = "write `name >= version`, and join several by `and`, as in `python >= 3.12 and platform == linux`"
            raise fail(f"not a condition: {name!r}", remedy)
        is_package = name not in ("python", "platform")
        if is_package and packages is not None and canonicalize_name(name) not in map(canonicalize_name, packages):
            names = ", ".join(["python", "platform", *dict.fromkeys(packages)])
            remedy = f"use one of {names}, or add it to `needs` of [tool.snippetcheck]"
            raise fail(f"unknown name {name!r} in a condition", remedy)
        match = _PLATFORM.fullmatch(specifier)
        if name == "platform" and (not match or match[2] not in PLATFORMS):
            remedy = f"write `platform == NAME` or `platform != NAME` with one of {', '.join(PLATFORMS)}"
            raise fail(f"not a condition on the platform: {specifier!r}", remedy)
        try:
            is_valid = name == "platform" or all(Specifier(part).operator != "===" for part in specifier.split(","))
        except InvalidSpecifier:
            is_valid = False
        if not is_valid:
            remedy = "write `>= 3.12`, or several versions as in `>= 2, < 3`"
            raise fail(f"not a version of {name}: {specifier!r}", remedy)


def _conditions(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, specifier) of each condition in the value of `# when:`. A malformed condition has an empty specifier."""
    for part in re.split(r"\s+and\s+", text) if text else ():
        match = _CONDITION.fullmatch(part.strip())
        yield (match[1], match[2].strip()) if match else (part.strip(), "")
