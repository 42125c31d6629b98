"""One derivative can be written per element, with matrices and as code."""
# covers: theory.forms-differ

import torch

torch.manual_seed(0)
X = torch.randn(4, 3)
W = torch.randn(3, 2, requires_grad=True)
G = torch.randn(4, 2)  # the gradient that arrives at Y
Y = X @ W

# 1. On paper, per element: dL/dW[j, k] = sum over i of X[i, j] * G[i, k].
per_element = torch.zeros(3, 2)
for j in range(3):
    for k in range(2):
        for i in range(4):
            per_element[j, k] += X[i, j] * G[i, k]

# 2. In matrices: dL/dW = X^T G.
as_matrices = X.t() @ G

# 3. As code.
Y.backward(G)

print(torch.allclose(per_element, as_matrices), torch.allclose(as_matrices, W.grad))
#> True True
