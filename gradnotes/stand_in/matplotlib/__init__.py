"""Replace matplotlib in the browser and while the site is built: only `pyplot` and `cm`, with what examples use.

`use`, `rc`, `style` and `rcParams` have no effect. Importing another module of matplotlib raises ModuleNotFoundError.
"""

from ._ignored import IGNORED

__version__ = "3.11.2"
use = rc = style = rcParams = IGNORED
