"""Figures that a run draws: a fence names a snippet and what to watch, never a number.

`watching` looks at the program while it runs, on whichever engine; a module for each kind says what it records and draws it with
`svg`, `cells` and `axes`. gradnotes.fences.drawn makes the figure of a page of it, assets/figures.js its slider.
"""
