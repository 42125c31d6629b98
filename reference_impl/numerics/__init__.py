"""Functions of arrays that NumPy lacks, or that it rounds differently from torch. They do not use tensors or gradients.

The error functions, and for float32 also exp, expm1, log and log1p, are computed in float64, and the result is rounded at the end.
"""
