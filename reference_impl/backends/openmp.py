"""`torch.backends.openmp`."""


def is_available() -> bool:
    """False: the engine is a Python program; what threads NumPy uses is NumPy's affair."""
    return False
