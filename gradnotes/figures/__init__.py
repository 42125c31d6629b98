"""Draw figures from runs. A fence names a snippet and the expressions to watch, never a number.

`expressions` evaluates expressions in the program while it runs, on either engine. The module of each kind says what it
records, and draws it with `svg`, `cells` and `axes`. gradnotes.fences.figure adds the figure to a page,
assets/figures.js adds the slider.
"""
