"""Generate and finish the site: navigation, search index, downloads, offline copy, Python for the browser.

The functions read and write folders. Only `gradnotes.mkdocs_plugin` and `gradnotes.serve` depend on MkDocs.
"""
