"""Generate and finish the site: navigation, search index, downloads, offline copy, Python for the browser.

These are functions on folders; only `gradnotes.mkdocs_plugin` and `gradnotes.serve` depend on MkDocs.
"""
