"""Run each program in a separate process, forked from a process that has imported the engine.

Other modules use the class `Runner`. README.md of the harness shows the tree of processes.
"""
