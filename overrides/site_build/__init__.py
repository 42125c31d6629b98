"""What the site needs beside its pages: order, search index, downloads, offline copy, runtime.

Plain functions on folders; only `mkdocs_hooks` knows MkDocs.
"""
