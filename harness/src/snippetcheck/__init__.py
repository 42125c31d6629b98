"""Reads, runs and checks the snippets of a documentation site.

A snippet is a Python file whose comments say what each of its statements prints, raises or warns.
Every snippet runs on each of its engines, in a separate process, and every statement is compared.
"""
