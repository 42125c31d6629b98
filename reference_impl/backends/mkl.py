"""`torch.backends.mkl`."""


def is_available() -> bool:
    """False: the engine itself uses no MKL, and which library NumPy multiplies with is NumPy's affair."""
    return False
