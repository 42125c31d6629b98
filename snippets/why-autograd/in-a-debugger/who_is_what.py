"""Leaf, grad and `grad_fn` of every tensor in `y = (x + w) * (w + 1)`."""
# covers: graph.xw-code graph.leaf-root

import warnings

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
a = x + w
b = w + 1
y = a * b
y.backward()

print(w.is_leaf, x.is_leaf, a.is_leaf, b.is_leaf, y.is_leaf)
#> True True False False False

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # torch warns when .grad of a result is read
    print(w.grad, x.grad, a.grad, b.grad, y.grad)
#> tensor([5.]) tensor([2.]) None None None

for name, tensor in [("w", w), ("x", x), ("a", a), ("b", b), ("y", y)]:
    node = tensor.grad_fn
    print(name, None if node is None else type(node).__name__)
#> w None
#> x None
#> a AddBackward0
#> b AddBackward0
#> y MulBackward0
