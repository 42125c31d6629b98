"""Failures as GitHub Actions annotations, at the line of the page that shows the snippet."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def is_active(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether this runs on GitHub Actions."""
    return environment.get("GITHUB_ACTIONS") == "true"


def annotation(path: Path | str, line: int, title: str, message: str) -> str:
    """Return an `::error` workflow command, escaped as GitHub's runner requires."""
    return f"::error file={_property(str(path))},line={line},title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
