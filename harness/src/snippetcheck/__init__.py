"""Read, run and check the snippets of a documentation site.

A snippet is a Python file, or an example on a page, that states the output, the error and the warnings of each statement.
Every snippet runs in a separate process on each of its engines, and each statement is compared with what the snippet states.
An engine is Python with certain modules.
"""
