"""For all tests: property tests try the same examples each time, so that a run that was green stays green.

HYPOTHESIS_PROFILE=search looks for new ones.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("search", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
