"""`backward` stores a gradient only where there is an `AccumulateGrad`. Point at the tensors that have a gradient in `.grad` afterwards."""
# exercise: point
# covers: autograd.leaf.grad-kept
# about: why-autograd/leaves.md#which-gradients-are-kept
# at: tensors
# answer: where it.grad is not None
# hint: `backward` computes a gradient for every result on its way, but it stores only those of leaves that require one.
# hint: `w2` and `w3` look like weights, but `w2` is the result of a division, and `detach` returned `w3`.

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
# hint: All three are used as weights, but only one of them is a leaf that requires a gradient. `w2` is the result of a division, and `detach` returned `w3` without a graph.

# %% wrong: w1; w2
# hint: `w2` is the name of the quotient, which an operation computed. The gradient is stored in the tensor that was divided.

# %% wrong: w1; w3
# hint: `w3` is a leaf, because `detach` returned it without a graph. But it doesn't require a gradient.

# %% wrong: w1; w2; stem; left; right; loss
# hint: A gradient was computed for all of these. Where the tensor is not a leaf, it was used and then discarded.
