import torch
from torch import nn
import matplotlib.pyplot as plt

torch.manual_seed(0)
conv = nn.Conv2d(1, 8, kernel_size=5)
kernels = conv.weight.data
print(kernels.shape, round(kernels.abs().max().item(), 3))

fig, axes = plt.subplots(2, 4, figsize=(8, 4))
for i, ax in enumerate(axes.flat):
    ax.imshow(kernels[i, 0], cmap="gray")
    ax.set_title(f"{i}")
    ax.axis("off")
plt.suptitle("Kernels")
plt.show()
