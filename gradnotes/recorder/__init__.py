"""Run programs on reference_impl, and record the output, the plots and the backward passes of each statement."""
