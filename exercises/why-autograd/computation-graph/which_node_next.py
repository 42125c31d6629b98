"""In which order will `backward` run the nodes of our model?"""
# exercise: point
# covers: graph.nodes-edges
# about: why-autograd/computation-graph.md#the-way-back
# at: order
# hint: Backward begins where forward ended.
# hint: A node can run when everything made from its result has sent its gradient.
# hint: The node of a leaf has no other node to send a gradient to. It runs as soon as its gradient comes.

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
# hint: This is the order of the forward pass. The nodes were made in this order, and they run in another.

# %% wrong: loss; squared; error; score; scaled; w; b
# hint: Nearly. When `score` has run, `b` and `scaled` have both got a gradient. Which of them can finish on the spot?

# %% wrong: loss; score; error; squared; scaled; b; w
# hint: `score` has to wait for the gradient that comes through `error`. What does that one wait for?
