"""What turns the sources of the course into pages: fences, step viewers, search, notebooks, downloads."""
