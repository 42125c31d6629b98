"""Start the command line: `python -m snippetcheck`, and the command `snippetcheck`."""

from __future__ import annotations

import sys

from snippetcheck.engines import refusal


def main(arguments: list[str] | None = None) -> int:
    """Run `commands.main`. The exit code is 2 if no snippet can run on this machine."""
    if reason := refusal():
        print(reason, file=sys.stderr)
        return 2
    from snippetcheck import commands  # after the check: it imports modules that only Linux has

    return commands.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
