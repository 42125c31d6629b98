"""Draw figures from runs of snippets. A fence names a snippet and expressions to watch; all numbers come from the run.

`expressions` evaluates the expressions in the program's process, on torch or reference_impl. Each kind of figure is a
module that records values and draws them with `svg`, `cells` and `axes`. gradnotes.fences.figure adds the figure to a
page, docs/assets/figures.js adds its slider. `plot_drawing` draws what a program plots with matplotlib.
"""
