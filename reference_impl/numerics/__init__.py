"""Special functions of arrays that NumPy does not have. They do not know tensors or gradients.

Everything is computed in float64 and, for another dtype, rounded at the end.
"""
