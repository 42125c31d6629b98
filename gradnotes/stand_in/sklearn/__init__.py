"""Provide `load_digits` of scikit-learn, which examples use, in the browser and while the site is built.

An import of another module raises Python's error, `No module named 'sklearn.linear_model'`.
"""
