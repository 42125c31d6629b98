"""Modules, by kind. The files correspond to those of torch/nn/modules."""
