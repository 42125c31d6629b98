"""Read the data about the five notes: passages, ideas, corrections, and the Chinese of ideas and corrections."""
