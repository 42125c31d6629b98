"""Run each program in a separate process, forked from one that has imported its engine.

Other modules use the class `Runner`. README.md of the harness shows the tree of processes.
"""
