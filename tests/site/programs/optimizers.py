import torch
import matplotlib.pyplot as plt

fig, ax = plt.subplots()
for name in ("SGD", "RMSprop", "Adagrad", "Adam", "AdamW"):
    p = torch.tensor([-1.0, 1.5], requires_grad=True)
    opt = getattr(torch.optim, name)([p], lr=0.01)
    values = []
    for _ in range(100):
        opt.zero_grad()
        loss = (1 - p[0]) ** 2 + 5 * (p[1] - p[0] ** 2) ** 2
        loss.backward()
        opt.step()
        values.append(loss.item())
    ax.semilogy(values, label=name)
    print(f"{name:8} {values[-1]:.3f}")
ax.set(xlabel="step", ylabel="loss", title="Rosenbrock")
ax.legend()
fig.savefig("optimizers.pdf")
plt.show()
