"""Notebooks: the labs, and a download of each page."""
