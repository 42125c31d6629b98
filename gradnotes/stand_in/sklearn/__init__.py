"""Provide the parts of scikit-learn that the examples use, in the browser and while the site is built.

Everything else raises the usual error: `No module named 'sklearn.linear_model'`.
"""
