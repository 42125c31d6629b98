"""The program makes one training step with a large layer and a small batch. Point at the line after which it takes, for the first time, four times the memory of the model."""
# exercise: point
# covers: memory.four-costs
# about: memory-and-speed/memory-of-a-step.md#three-of-them
# at: line
# answer: changes len(optimizer.state)
# hint: Four times the memory means the parameters and three more tensors of the same size for each of them.
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
# hint: This line creates the gradients. With the parameters they make twice the size of the model.

# %% wrong: optimizer = torch.optim.Adam(model.parameters())
# hint: Adam has its list of parameters now. Its averages are computed from gradients, and there are none so far.

# %% wrong: loss = model(x).square().mean()
# hint: The saved tensors grow with the batch. Eight rows are few compared with a thousand rows of weights.

# %% wrong: model = torch.nn.Linear(1000, 1000)
# hint: This is the size of the model once.
