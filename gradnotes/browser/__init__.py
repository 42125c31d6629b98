"""What runs in the reader's browser: programs, exercises, and what restores the process after them."""
