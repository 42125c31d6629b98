"""Replace matplotlib where it is not installed: `pyplot` with plot, scatter, hist, bar, imshow and text, and `cm`.

`use`, `rc`, `style` and `rcParams` have no effect. Importing another module of matplotlib raises ModuleNotFoundError.
"""

from ._ignored import IGNORED

__version__ = "3.11.2"
use = rc = style = rcParams = IGNORED
