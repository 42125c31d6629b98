"""Draw a recorded backward pass and describe its steps, in the build and in the browser.

`program` runs a program and records its passes, `layout` places the nodes, `drawing` makes the SVG, `view` makes the
figure with its table of steps. assets/steps.js makes the figure interactive; without JavaScript it is still readable.
"""
