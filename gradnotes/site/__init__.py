"""What the site needs beside its pages: order, search index, downloads, offline copy, runtime.

Plain functions on folders; only `gradnotes.mkdocs_plugin` knows MkDocs.
"""
