"""The weights were converted to get more exact results, and now the optimizer refuses them: `can't optimize a non-leaf Tensor`. Repair the program.

It must compute in `float64`, and the 200 steps must find the weights 1, 2 and 3.
"""
# exercise: repair
# covers: autograd.leaf.rule tensor-props.is-leaf
# about: why-autograd/leaves.md#set-requires-grad-last
# hint: `requires_grad=True` belongs to the tensor of zeros. `w` is the name of the converted one.
# hint: A conversion is an operation. Convert first, and set `requires_grad` on the result.

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

# %% right: created in float64
# - w = torch.zeros(3, requires_grad=True).double()
# + w = torch.zeros(3, dtype=torch.float64, requires_grad=True)

# %% check
assert loss.dtype == torch.float64, "The program trains, but in `float32`. It should compute in `float64`."
assert loss.item() < 1e-3, f"The message is gone, but the loss stays at {loss.item():.4f}. The optimizer changes one tensor, and the loss is computed with another."

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

# %% wrong: detached
# error: RuntimeError: element 0 of tensors does not require grad ...
# hint: `w` is a leaf now, but it doesn't require a gradient, so nothing is recorded.

# - w = torch.zeros(3, requires_grad=True).double()
# + w = torch.zeros(3, requires_grad=True).double().detach()
