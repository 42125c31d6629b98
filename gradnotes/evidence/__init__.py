"""Record verdicts and measurements in docs/evidence, with fingerprints of everything on which they depend."""
