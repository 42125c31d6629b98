"""Two rules decide the order of the backward pass. Click the nodes of our model in the order in which `backward` runs them."""
# exercise: point
# covers: graph.nodes-edges
# about: why-autograd/in-a-debugger.md#order
# at: order
# hint: The backward pass begins where the forward pass ended.
# hint: A node is ready when the gradients from all uses of its result have arrived.
# hint: If several nodes are ready, the node of a leaf comes first.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
scaled = w * x
score = scaled + b
error = score - y
squared = error * error
loss = squared.mean()
loss.backward()

# %% wrong: w; scaled; b; score; error; squared; loss
# hint: This is the order of the forward pass, in which the nodes were created. The backward pass starts at the loss.

# %% wrong: loss; squared; error; score; scaled; w; b
# hint: When `score` has run, `b` and `scaled` are both ready. `b` is a leaf, so it comes first.

# %% wrong: loss; score; error; squared; scaled; b; w
# hint: `score` has to wait for the gradient that comes through `error`, and `error` waits for `squared`.
