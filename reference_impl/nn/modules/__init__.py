"""Modules, by kind: a file here is what torch/nn/modules/<file> is there."""
