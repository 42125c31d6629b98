"""After `backward`, which of these tensors have a gradient in `.grad`?"""
# exercise: point
# covers: autograd.leaf.grad-kept
# about: why-autograd/leaves.md
# at: tensors
# answer: where it.grad is not None
# hint: `backward` computes a gradient for everything on its way, and keeps it for leaves that asked for one.
# hint: Which of them were made by an operation?

# %% start
import torch

image = torch.ones(2, 2)
w1 = torch.tensor(1.0, requires_grad=True)
w2 = torch.tensor(4.0, requires_grad=True) / 2
w3 = w1.detach()
stem = image * w1
left = stem + w2
right = stem * w3
loss = (left * right).mean()
loss.backward()

# %% wrong: w1; w2; w3
# hint: They all play weights, and only one of them is a leaf that asked for a gradient. How were `w2` and `w3` made?

# %% wrong: w1; w2
# hint: You asked for a gradient, then divided. The name `w2` is that of the quotient, and an operation made it.

# %% wrong: w1; w3
# hint: `w3` is a leaf, since `detach` left the graph behind. Did it ask for a gradient?

# %% wrong: w1; w2; stem; left; right; loss
# hint: A gradient passed through all of these. It was used on the spot and not kept.
