"""The engine's source on pages: symbols, comments beside the code, and a page for each module."""
