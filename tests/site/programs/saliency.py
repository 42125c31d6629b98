import torch
import torch.nn as nn
from sklearn.datasets import load_digits
import matplotlib.pyplot as plt

torch.manual_seed(0)
digits = load_digits()
X = torch.tensor(digits.data / 16, dtype=torch.float32)
y = torch.tensor(digits.target)
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
opt = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
for _ in range(40):
    loss = nn.CrossEntropyLoss()(model(X[:1000]), y[:1000])
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()

image = X[1000:1001].clone().requires_grad_(True)
score = model(image)[0, y[1000]]
score.backward()
saliency = image.grad.abs().reshape(8, 8)
print(y[1000].item(), model(image).argmax().item(), saliency.shape)

fig, (left, right) = plt.subplots(1, 2)
left.imshow(image.detach().reshape(8, 8), cmap="binary")
right.imshow(saliency, cmap=plt.cm.hot)
right.set_title("saliency")
for ax in (left, right):
    ax.set_xticks([])
    ax.set_yticks([])
plt.show()
