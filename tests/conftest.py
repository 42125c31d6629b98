"""Make Hypothesis try the same examples in each run, so that a test fails only after a change.

With `--tier full`, Hypothesis tries new examples.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("search", derandomize=False, print_blob=True, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("search" if config.getoption("tier") == "full" else "same")
