"""Generate and finish the site: navigation, search index, downloads, offline copy, Python for the browser.

The functions read and write folders. Only `gradnotes.site.build`, which runs MkDocs, depends on it.
"""
