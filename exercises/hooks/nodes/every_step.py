"""The program should record the gradient of `hidden` in each of three training steps, but it records only the first.

Repair it. At the end, `seen` should hold the three gradients in the order of the steps.
"""
# exercise: repair
# covers: hooks.operator-hook-example
# about: hooks/nodes.md#one-pass-or-all
# hint: Each step computes a new `hidden`, which has a new node.
# hint: A hook belongs to one node, so register it in each step.

# %% start
import torch

w = torch.tensor([2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
seen = []

for step in range(3):
    hidden = w * 3
    if step == 0:
        hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
    loss = (hidden - 3).square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(seen)

# %% solution
# -     if step == 0:
# -         hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
# +     hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))

# %% right: a hook on the tensor, in each step
# -     if step == 0:
# -         hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
# +     hidden.register_hook(lambda grad: seen.append(grad.item()))

# %% check
_w, _at_hidden = 2.0, []
for _ in range(3):
    _at_hidden.append(2 * (3 * _w - 3))
    _w -= 0.1 * 3 * _at_hidden[-1]
assert abs(w.item() - _w) < 1e-4, "`w` ends at a different value. The hook should only record gradients, and the training should stay the same."
assert len(seen) != 1, "Only the gradient of the first step is recorded. The second step computes a new `hidden`, whose node has no hook."
assert len(seen) == 3, f"There are three steps, but {len(seen)} recorded gradients. Each step should record exactly one, so check how many hooks are called."
assert all(abs(_a - _b) < 1e-3 for _a, _b in zip(seen, _at_hidden)), "There are three recorded gradients, but they are not the gradients of `hidden`."

# %% wrong: the gradient of the leaf
# -     if step == 0:
# -         hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
# +     if step == 0:
# +         w.register_hook(lambda grad: seen.append(grad.item()))

# %% wrong: the graph of the first step, kept
# -     hidden = w * 3
# -     if step == 0:
# -         hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
# -     loss = (hidden - 3).square().sum()
# +     if step == 0:
# +         hidden = w * 3
# +         hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
# +         loss = (hidden - 3).square().sum()

# -     loss.backward()
# +     loss.backward(retain_graph=True)

# %% wrong: a hook on the leaf in each step
# -     if step == 0:
# -         hidden.grad_fn.register_prehook(lambda grads: seen.append(grads[0].item()))
# +     w.register_hook(lambda grad: seen.append(grad.item()))
