"""The value of a place should be its reward plus 0.9 times the value of the next place. This sum is the target for `value[0]`, but the gradient of the loss moves the target as well.

Repair the loss: its gradient should move `value[0]` toward the target, and be 0 for `value[1]`.
"""
# exercise: repair
# covers: autograd.detach
# about: in-place/leaves.md#a-constant
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

# %% right: the target computed without a graph
# - target = reward + 0.9 * value[1]
# + with torch.no_grad():
# +     target = reward + 0.9 * value[1]

# %% check
assert value.grad is not None and value.grad[0] != 0, "`value[0]` receives no gradient, but it is the number that should move."
assert abs(loss.item() - 1.69) < 1e-4, "The value of the loss has changed. Keep its numbers as they are, and change only where gradients flow."
assert abs(value.grad[0].item() + 2.6) < 1e-4 and value.grad[1] == 0, "The gradients should be -2.6 and 0. As long as `value[1]` receives a gradient, each step also moves the target."

# %% wrong: the other side detached
# - loss = (value[0] - target) ** 2
# + loss = (value[0].detach() - target) ** 2

# %% wrong: the next place left out
# - target = reward + 0.9 * value[1]
# + target = torch.tensor(reward)
