"""Read, run and check the snippets of a documentation site.

A snippet is a Python file whose comments state the output, the error and the warnings of each statement.
Every snippet runs in a separate process on each of its engines (Python with certain modules), and each statement is
compared with its comments.
"""
