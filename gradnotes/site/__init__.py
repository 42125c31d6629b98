"""Generate and finish the site: navigation, search index, downloads, offline copy, runtime.

These are functions on folders; only `gradnotes.mkdocs_plugin` and `gradnotes.serve` depend on MkDocs.
"""
