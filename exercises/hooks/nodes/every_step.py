"""You want to record the gradient at `hidden` in each of three training steps. Only the first one is recorded. Repair it."""
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
assert abs(w.item() - _w) < 1e-4, "The hook is there to watch. Now the training goes another way."
assert len(seen) != 1, "One record, from the first step. To which node did the second step's gradient come?"
assert len(seen) == 3, f"Three steps and {len(seen)} records. How often is the same node hooked, or the same gradient recorded?"
assert all(abs(_a - _b) < 1e-3 for _a, _b in zip(seen, _at_hidden)), "Three records, but not the gradients at `hidden`. What does your hook see, and where?"

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
