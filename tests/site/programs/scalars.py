import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("runs/first")
w = torch.tensor(5.0, requires_grad=True)
for step in range(30):
    loss = (w - 2) ** 2
    loss.backward()
    writer.add_scalar("Loss/train", loss, step)
    writer.add_scalar("Weight", w.item(), step)
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
writer.flush()
writer.close()
print(round(w.item(), 3))
