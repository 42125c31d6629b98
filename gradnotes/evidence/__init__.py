"""Record verdicts and measurements in files under docs/evidence, with everything that they depend on."""
