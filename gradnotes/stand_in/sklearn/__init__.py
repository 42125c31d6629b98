"""Replace scikit-learn in the browser and while the site is built: only `datasets.load_digits`, which examples use.

Importing another module of scikit-learn raises ModuleNotFoundError.
"""
