"""Execute and render the notebooks of the labs, and export each page as a notebook."""
