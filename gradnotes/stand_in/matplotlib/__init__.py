"""Draw the common plots of matplotlib in the browser: `pyplot` with plot, scatter, hist, bar, imshow and text.

Settings have no effect. An import of another module raises Python's error, `No module named 'matplotlib.animation'`.
"""

from ._ignored import IGNORED

__version__ = "3.11.2"
use = rc = style = rcParams = IGNORED
