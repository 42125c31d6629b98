"""Read, run and check the snippets of a documentation site.

A snippet is a Python file whose comments state the output, the error and the warnings of each statement.
Every snippet runs on each of its engines, in a separate process, and each statement is compared with its comments.
"""
