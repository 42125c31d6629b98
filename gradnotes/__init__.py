"""Turn the sources of the course into pages: fences, step viewers, search, notebooks, downloads."""

from importlib.util import find_spec

if find_spec("snippetcheck") is None:
    raise ImportError(
        "gradnotes needs snippetcheck, the distribution in its folder harness/\n"
        "    run: python -m pip install --editable harness"
    )
