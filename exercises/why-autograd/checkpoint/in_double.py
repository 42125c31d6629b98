"""To be more exact, somebody converted the weights, and now the optimizer refuses them: `can't optimize a non-leaf Tensor`.

Repair the program. It has to go on computing in `float64`, and the 200 steps have to find the weights 1, 2 and 3.
"""
# exercise: repair
# covers: autograd.leaf.rule tensor-props.is-leaf
# about: why-autograd/leaves.md#who-was-asked
# hint: Which tensor was asked for a gradient, and which one is called `w`?
# hint: A conversion is an operation. What if it came first?

# %% start
import torch

torch.manual_seed(0)
x = torch.randn(20, 3).double()
y = x @ torch.tensor([1.0, 2.0, 3.0]).double()

w = torch.zeros(3, requires_grad=True).double()
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(200):
    loss = ((x @ w - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w, loss)

# %% solution
# - w = torch.zeros(3, requires_grad=True).double()
# + w = torch.zeros(3).double().requires_grad_()

# %% right: made in float64
# - w = torch.zeros(3, requires_grad=True).double()
# + w = torch.zeros(3, dtype=torch.float64, requires_grad=True)

# %% check
assert loss.dtype == torch.float64, "It trains, in `float32`. The more exact numbers were the point."
assert loss.item() < 1e-3, f"No message any more, and the loss is {loss.item():.4f} in the first step and in the last. The optimizer moves a tensor. Is it the one that you compute with?"

# %% wrong: the leaf for the optimizer, its copy for the model
# - w = torch.zeros(3, requires_grad=True).double()
# - optimizer = torch.optim.SGD([w], lr=0.1)
# + leaf = torch.zeros(3, requires_grad=True)
# + w = leaf.double()
# + optimizer = torch.optim.SGD([leaf], lr=0.1)

# %% wrong: all in float32
# - x = torch.randn(20, 3).double()
# - y = x @ torch.tensor([1.0, 2.0, 3.0]).double()
# + x = torch.randn(20, 3)
# + y = x @ torch.tensor([1.0, 2.0, 3.0])

# - w = torch.zeros(3, requires_grad=True).double()
# + w = torch.zeros(3, requires_grad=True)

# %% wrong: cut off
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: A detached `w` is a leaf that asks for no gradient, so nothing is recorded.

# - w = torch.zeros(3, requires_grad=True).double()
# + w = torch.zeros(3, requires_grad=True).double().detach()
