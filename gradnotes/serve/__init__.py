"""Serve the site for `make serve`: build each page on request, and again after a change."""
