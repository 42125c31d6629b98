import torch
import matplotlib.pyplot as plt

torch.manual_seed(0)
x = torch.linspace(0, 1, 50)
y = 3 * x + 1 + 0.1 * torch.randn(50)

w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
losses = []
for step in range(200):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.5 * w.grad
        b -= 0.5 * b.grad
        w.grad.zero_()
        b.grad.zero_()
    losses.append(loss.item())
print(f"w = {w.item():.3f}, b = {b.item():.3f}")

plt.scatter(x, y, label="data")
plt.plot(x, (w * x + b).detach(), "r", label="fit")
plt.legend()
plt.show()
