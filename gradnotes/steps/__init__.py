"""Draws a recorded backward pass and describes its steps, at build time and in the page alike.

`program` runs a program and records, `layout` places the nodes, `drawing` makes the SVG, `view` the
figure with its table of steps. assets/steps.js moves through it. Nothing here is needed to read it.
"""
