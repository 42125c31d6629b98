"""Run programs in separate processes, and record the effects of each statement."""
