"""Read the data about the five notes in docs/notes/: passages, ideas and corrections, in English and Chinese."""
