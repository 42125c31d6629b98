"""`backward` says: element 0 of tensors does not require grad and does not have a grad_fn. Repair the program, so that `w` and `b` get their gradients.

On the way it turns the scores into plain numbers, and then into a tensor again.
"""
# exercise: repair
# covers: graph.forward-builds-backward tensor-props.grad-fn
# about: why-autograd/computation-graph.md#no-request-no-record
# hint: Print `loss.grad_fn` and `score.grad_fn`. At which line does the record end?
# hint: `item()` hands out a Python number. What does a Python number know of where it came from?
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

# %% right: one by one, and joined as tensors
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = torch.stack([w * ink + b for ink in x])

# %% check
assert not (w.grad is None and loss.is_leaf), "No error, and `w.grad` is `None`. You asked for the gradient of the loss itself. How far back does the record go from there?"
assert not (w.grad is None and score.is_leaf), "No error, and `w.grad` is `None`. The record now reaches back to `score`, a fresh tensor of plain numbers. How did they get there?"
assert w.grad is not None and b.grad is not None, "Print both gradients. To one of the weights no record leads back."
assert torch.allclose(w.grad, torch.tensor(0.4375)) and torch.allclose(b.grad, torch.tensor(1.0)), "Gradients arrive, and not those of this loss. It should be the mean of four squares."

# %% wrong: a request at the loss
# - loss.backward()
# + loss.requires_grad_()
# + loss.backward()

# %% wrong: a request at the score
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = torch.tensor([(w * ink + b).item() for ink in x], requires_grad=True)

# %% wrong: only one weight as a number
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# + score = w * x + b.item()

# %% wrong: the loss of the last picture
# - score = torch.tensor([(w * ink + b).item() for ink in x])
# - error = score - y
# - loss = (error * error).mean()
# + for ink, answer in zip(x, y, strict=True):
# +     error = w * ink + b - answer
# + loss = error * error
