"""`make serve`: the site, made page by page as a browser asks for it, and again where a file has changed."""
