"""The value of a place should be the reward there, plus 0.9 times the value of the next place. That sum is a target that `value[0]` should reach. The target itself should stay as it is.

The gradient should move `value[0]` toward the target, and leave `value[1]` alone. Repair the loss.
"""
# exercise: repair
# covers: autograd.detach
# about: in-place/detach-and-data.md#a-constant
# hint: Print `value.grad`. The second number should be 0. A gradient reaches `value[1]` through `target`.
# hint: Of the two sides of the minus sign, the target should count as a constant.

# %% start
import torch

value = torch.tensor([1.0, 2.0], requires_grad=True)
reward = 0.5

target = reward + 0.9 * value[1]
loss = (value[0] - target) ** 2
loss.backward()
print(value.grad)

# %% solution
# - target = reward + 0.9 * value[1]
# + target = reward + 0.9 * value[1].detach()

# %% right: the whole target detached
# - loss = (value[0] - target) ** 2
# + loss = (value[0] - target.detach()) ** 2

# %% right: the target computed without a record
# - target = reward + 0.9 * value[1]
# + with torch.no_grad():
# +     target = reward + 0.9 * value[1]

# %% check
assert value.grad is not None and value.grad[0] != 0, "`value[0]` gets nothing. That's the number which should move."
assert abs(loss.item() - 1.69) < 1e-4, "The gradient has the right zero, but the loss is another one. Its numbers should stay as they are."
assert abs(value.grad[0].item() + 2.6) < 1e-4 and value.grad[1] == 0, "`value[1]` is pulled towards `value[0]`, so the target comes down to meet the guess."

# %% wrong: the other side detached
# - loss = (value[0] - target) ** 2
# + loss = (value[0].detach() - target) ** 2

# %% wrong: the next place left out
# - target = reward + 0.9 * value[1]
# + target = torch.tensor(reward)
