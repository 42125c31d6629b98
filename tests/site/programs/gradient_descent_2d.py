import math
import torch
import matplotlib.pyplot as plt
from matplotlib import cm

f = lambda p: p[0] ** 2 + 10 * p[1] ** 2
p = torch.tensor([4.0, 1.0], requires_grad=True)
path = [p.detach().clone()]
for _ in range(25):
    f(p).backward()
    with torch.no_grad():
        p.sub_(0.08 * p.grad)
        p.grad.zero_()
    path.append(p.detach().clone())
path = torch.stack(path)
print(path[-1], math.isclose(f(path[-1]).item(), 0, abs_tol=1.0))

xs, ys = torch.meshgrid(torch.linspace(-5, 5, 40), torch.linspace(-2, 2, 40), indexing="xy")
plt.contour(xs, ys, xs**2 + 10 * ys**2, levels=20, cmap=cm.viridis)
plt.plot(*path.T, "o-", color="tab:red", markersize=3)
plt.axis("equal")
plt.show()
