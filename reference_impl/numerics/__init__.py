"""Functions of arrays that NumPy lacks. They do not use tensors or gradients.

Everything is computed in float64 and, for another dtype, rounded at the end.
"""
