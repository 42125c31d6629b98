"""The module classes of `torch.nn`, in files with the same names as in torch/nn/modules."""
