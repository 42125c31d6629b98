"""Start the command line: `python -m snippetcheck`, and the command `snippetcheck`."""

from __future__ import annotations

import sys

from snippetcheck.commands import main

if __name__ == "__main__":
    sys.exit(main())
