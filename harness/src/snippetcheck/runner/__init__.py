"""Run each program in a separate process, forked from one that has imported its engine.

`Runner` is what the other modules use. README.md of the harness draws the tree of processes.
"""
