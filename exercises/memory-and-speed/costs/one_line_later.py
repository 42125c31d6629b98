"""One step of a training run with a large layer and a small batch. After which line is it, for the first time, four times the size of the model?"""
# exercise: point
# covers: memory.four-costs
# about: memory-and-speed/costs.md#three-of-them
# at: line
# answer: changes len(optimizer.state)
# hint: Four times: the parameters, and three more tensors of the same size for each of them.
# hint: Go through the lines, and note for each what it leaves behind: gradients, state, or neither.

# %% start
import torch

model = torch.nn.Linear(1000, 1000)
optimizer = torch.optim.Adam(model.parameters())
x = torch.randn(8, 1000)
loss = model(x).square().mean()
loss.backward()
optimizer.step()
optimizer.zero_grad()

# %% wrong: loss.backward()
# hint: Here the gradients come. With the parameters that makes twice the size of the model.

# %% wrong: optimizer = torch.optim.Adam(model.parameters())
# hint: Adam knows its parameters now. Its averages are made of gradients, and there is none so far.

# %% wrong: loss = model(x).square().mean()
# hint: What the nodes save grows with the batch. Eight rows are little beside a thousand rows of weights.

# %% wrong: model = torch.nn.Linear(1000, 1000)
# hint: That's the size of the model once.
