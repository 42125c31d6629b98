"""An engine of two functions.

It is small.
"""

from book_engine.core import run

LIMIT = 3  # of nothing


def twice(x):
    """Two times x."""
    return 2 * x


class Counter:
    """Counts."""

    def __init__(self):
        self.value = run()

    def up(self, by=LIMIT):
        """One more, or `by`."""
        self.value += twice(by)
        return self
