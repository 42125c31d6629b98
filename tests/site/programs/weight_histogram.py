import torch
import torch.nn as nn
import matplotlib.pyplot as plt

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 100), nn.Tanh(), nn.Linear(100, 10))
for name, p in net.named_parameters():
    print(f"{name:10} mean {p.mean().item():+.3f} std {p.std().item():.3f}")
    if p.ndim == 2:
        plt.hist(p.detach().flatten().numpy(), bins=40, alpha=0.5, label=name, density=True)
plt.legend()
plt.title("weights")
