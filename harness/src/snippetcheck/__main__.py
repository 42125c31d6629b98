"""Run the command line for `python -m snippetcheck`. The command `snippetcheck` imports `main` from this module."""

from __future__ import annotations

import sys

from snippetcheck.commands import main

if __name__ == "__main__":
    sys.exit(main())
