"""Make property tests try the same examples in each run, so that a green run stays green.

`--tier full` tries new examples.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("search", derandomize=False, print_blob=True, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("search" if config.getoption("tier") == "full" else "same")
