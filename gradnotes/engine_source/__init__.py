"""Put the source of reference_impl on pages: single definitions, and whole modules with docstrings beside the code."""
