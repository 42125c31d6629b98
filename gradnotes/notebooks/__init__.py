"""Execute and render the notebooks of the labs, and export pages as notebooks."""
