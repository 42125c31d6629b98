import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
import matplotlib.pyplot as plt

X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X, dtype=torch.float) / 16, torch.tensor(y)
W = torch.zeros(64, 10, requires_grad=True)
for _ in range(30):
    loss = F.nll_loss(F.log_softmax(X @ W, dim=1), y) + 1e-3 * W.pow(2).sum()
    (grad,) = torch.autograd.grad(loss, W)
    with torch.no_grad():
        W -= 2.0 * grad
predicted = (X @ W).argmax(1)
matrix = torch.zeros(10, 10, dtype=torch.long)
for t, p in zip(y, predicted):
    matrix[t, p] += 1
print(matrix.sum(), matrix.diagonal().sum() > 1500)

plt.imshow(matrix, cmap="viridis")
plt.colorbar()
plt.xlabel("predicted")
plt.ylabel("true")
plt.show()
accuracy = matrix.diagonal() / matrix.sum(1)
plt.bar(range(10), accuracy)
plt.xticks(range(10))
plt.ylim(0, 1)
plt.show()
