"""Functions of arrays that NumPy lacks. They do not use tensors or gradients.

Special and elementary functions are computed in float64; for another dtype, the result is rounded at the end.
"""
