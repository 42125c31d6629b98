"""`python -m snippetcheck`, and the command `snippetcheck`."""

from __future__ import annotations

import sys

from snippetcheck.engines import refusal


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, as `commands.main`; exit code 2 where no snippet can run on this machine."""
    if why := refusal():
        print(why, file=sys.stderr)
        return 2
    from snippetcheck import commands  # which imports what other platforms lack

    return commands.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
