"""`backward` raises "element 0 of tensors does not require grad and does not have a grad_fn", because the graph is interrupted. Repair the program.

`w.grad` and `b.grad` must hold the gradients of the mean of the four squared errors.
"""
# exercise: repair
# covers: graph.forward-builds-backward tensor-props.grad-fn
# about: why-autograd/computation-graph.md#no-request-no-record
# hint: In the loop, `w * ink + b` has a `grad_fn`. `score`, which is made from these results, has none. Look at what happens between the two.
# hint: `item()` returns a Python number, and a Python number has no `grad_fn`.
# hint: The model needs no loop: `w * x + b` computes all four scores at once.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

score = torch.tensor([(w * ink + b).item() for ink in x])
error = score - y
loss = (error * error).mean()
loss.backward()
print(w.grad, b.grad)

# %% solution
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = w * x + b

# %% right: separate scores, joined as tensors
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = torch.stack([w * ink + b for ink in x])

# %% check
assert not (w.grad is None and loss.is_leaf), "There is no error any more, but `w.grad` is `None`. You have made the loss a leaf, and the graph now consists of this leaf alone."
assert not (w.grad is None and score.is_leaf), "There is no error any more, but `w.grad` is `None`. The graph now reaches back to `score`, and ends there: `score` is a new leaf made from plain numbers."
assert w.grad is not None and b.grad is not None, "Only one of the two has a gradient. Print both: the graph doesn't lead back to the other."
assert torch.allclose(w.grad, torch.tensor(0.4375)) and torch.allclose(b.grad, torch.tensor(1.0)), "Both have a gradient, but not the gradient of this loss. It should be the mean of all four squared errors."

# %% wrong: a loss that requires a gradient
# - loss.backward()
# + loss.requires_grad_()
# + loss.backward()

# %% wrong: a score that requires a gradient
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = torch.tensor([(w * ink + b).item() for ink in x], requires_grad=True)

# %% wrong: only the bias as a number
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = w * x + b.item()

# %% wrong: the loss of the last picture
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# - error = score - y
# - loss = (error * error).mean()
# + for ink, answer in zip(x, y, strict=True):
# +     error = w * ink + b - answer
# + loss = error * error
