import torch
import torch.nn as nn
import matplotlib.pyplot as plt

torch.manual_seed(0)
series = torch.sin(torch.arange(0, 20, 0.2))
x = torch.stack([series[i : i + 10] for i in range(80)]).unsqueeze(-1)
y = torch.stack([series[i + 10] for i in range(80)]).unsqueeze(-1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=12, batch_first=True)
        self.linear = nn.Linear(12, 1)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.linear(out[:, -1, :])


model = Model()
opt = torch.optim.Adam(model.parameters(), lr=0.02)
train_losses = []
for epoch in range(25):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    train_losses.append(loss.detach())
print(train_losses[-1] < train_losses[0] / 4)

plt.subplot(2, 1, 1)
plt.plot(train_losses)
plt.yscale("log")
plt.subplot(2, 1, 2)
plt.plot(y.numpy(), "k", label="true")
plt.plot(model(x).detach().numpy(), "b--", label="predicted")
plt.legend(loc="upper right")
plt.tight_layout()
plt.show()
