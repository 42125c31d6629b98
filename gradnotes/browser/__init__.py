"""Run programs and exercises in the reader's browser, and restore the process after each of them."""
