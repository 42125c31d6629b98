"""What the examples use of scikit-learn, where it is not installed: in the page, and while the site is built.

Everything else of it is absent, and says so by itself: `No module named 'sklearn.linear_model'`.
"""
