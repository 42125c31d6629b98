"""With batches of 10, this training run converges. With batches of 100 and the same learning rate, it diverges. Repair it so that the step doesn't depend on the batch size."""
# exercise: repair
# covers: train.loss-optimizer
# about: training/losses.md#sum-or-mean
# hint: Print the gradient of the first step for batches of 10 and of 100.
# hint: The word `reduction` decides what happens to the losses of the single samples: they are added or averaged.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]])
loss_function = nn.MSELoss(reduction="sum")


def train(batch_size, epochs=5):
    """The trained weights (1, 3), and the length of the gradient in the first step."""
    torch.manual_seed(1)
    model = nn.Linear(3, 1, bias=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    first = None
    for epoch in range(epochs):
        for batch in torch.arange(200).split(batch_size):
            optimizer.zero_grad()
            loss_function(model(x[batch]), y[batch]).backward()
            if first is None:
                first = model.weight.grad.norm().item()
            optimizer.step()
    return model.weight.detach(), first


for size in 10, 100:
    print(size, *train(size))

# %% solution
# - loss_function = nn.MSELoss(reduction="sum")
# + loss_function = nn.MSELoss()

# -     optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
# +     optimizer = torch.optim.SGD(model.parameters(), lr=0.2)

# %% right: the mean alone
# - loss_function = nn.MSELoss(reduction="sum")
# + loss_function = nn.MSELoss(reduction="mean")

# %% right: divided by hand
# -             loss_function(model(x[batch]), y[batch]).backward()
# +             (loss_function(model(x[batch]), y[batch]) / len(batch)).backward()

# %% check
_ten, _hundred = train(10), train(100)
assert bool(torch.isfinite(_hundred[0]).all()) and _hundred[0].norm() < 10, "With batches of 100, the weights still diverge."
assert _hundred[1] < 3 * _ten[1], f"The first gradient has length {_ten[1]:.1f} with batches of 10 and {_hundred[1]:.1f} with batches of 100. A shorter step or another optimizer only hides this. Change what makes the gradient grow with the batch."
_wanted = torch.tensor([[1.0, -2.0, 0.5]])
assert (train(10, epochs=60)[0] - _wanted).abs().max() < 0.05, "The training is stable now but learns almost nothing, even in 60 epochs. Divide a sum of 10 losses by 10, and not by more."

# %% wrong: Adam
# -     optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
# +     optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

# %% wrong: divided twice
# - loss_function = nn.MSELoss(reduction="sum")
# + loss_function = nn.MSELoss()

# -             loss_function(model(x[batch]), y[batch]).backward()
# +             (loss_function(model(x[batch]), y[batch]) / 200).backward()
