"""The loop makes one step for two batches, but there are five, and the last one has no effect. Repair the loop so that the last batch makes a step with its full gradient.

Each step should use the *mean* gradient of its batches.
"""
# exercise: repair
# covers: memory.grad-accum.snippet
# about: memory-and-speed/accumulation.md#what-is-left-at-the-end
# hint: Print `i` where the condition is true. The last round, `i` = 4, is not among them.
# hint: The last group has one batch, but its loss is divided by `k`, which is 2.

# %% start
import torch

batches = [torch.tensor([v]) for v in (3.0, 1.0, 5.0, 7.0, 4.0)]
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
k = 2

for i, x in enumerate(batches):
    loss = ((w - x) ** 2).mean() / k
    loss.backward()
    if (i + 1) % k == 0:
        optimizer.step()
        optimizer.zero_grad()
print(w, w.grad)

# %% solution
# -     loss = ((w - x) ** 2).mean() / k
# +     begin = i - i % k
# +     loss = ((w - x) ** 2).mean() / min(k, len(batches) - begin)
#       loss.backward()
# -     if (i + 1) % k == 0:
# +     if (i + 1) % k == 0 or i + 1 == len(batches):

# %% right: group by group
# - for i, x in enumerate(batches):
# -     loss = ((w - x) ** 2).mean() / k
# -     loss.backward()
# -     if (i + 1) % k == 0:
# -         optimizer.step()
# -         optimizer.zero_grad()
# + for begin in range(0, len(batches), k):
# +     group = batches[begin : begin + k]
# +     for x in group:
# +         (((w - x) ** 2).mean() / len(group)).backward()
# +     optimizer.step()
# +     optimizer.zero_grad()

# %% check
def _walk(*groups):
    """Where `w` ends: each group is a step over some batches, with what their losses are divided by."""
    at = 0.0
    for values, divisor in groups:
        at -= 0.1 * sum(2 * (at - value) for value in values) / divisor
    return at


_two = ((3.0, 1.0), 2), ((5.0, 7.0), 2)
_w = w.item()
assert abs(_w - _walk(*_two)) > 1e-5 or w.grad is None, "The loop has made two steps. The gradient of the fifth batch is still in `w.grad`."
assert abs(_w - _walk(*_two)) > 1e-5, "The gradient of the fifth batch is cleared now. Use it for a step."
assert abs(_w - _walk(*_two, ((4.0,), 2))) > 1e-5, "The fifth batch makes a step, but it is half as long as it should be, because its group has one batch and not two."
assert abs(_w - _walk(((3.0, 1.0), 1), ((5.0, 7.0), 1), ((4.0,), 1))) > 1e-5, "Each loss counts in full now. A step should use the mean of its batches."
_want = _walk(*_two, ((4.0,), 1))
assert abs(_w - _want) < 1e-5, f"Three steps, over two, two and one batch, should lead to {_want:.4f}. `w` is at {_w:.4f}."
assert w.grad is None or w.grad.item() == 0.0, "`w` is right, but the last gradient is still in `w.grad`, and the next epoch would add to it."

# %% wrong: a last step after the loop
# - print(w, w.grad)
# + optimizer.step()
# + optimizer.zero_grad()
# + print(w, w.grad)

# %% wrong: cleared after the loop
# - print(w, w.grad)
# + optimizer.zero_grad()
# + print(w, w.grad)

# %% wrong: a fifth of each
# -     loss = ((w - x) ** 2).mean() / k
# +     loss = ((w - x) ** 2).mean() / len(batches)

# %% wrong: no division
# -     loss = ((w - x) ** 2).mean() / k
# +     loss = ((w - x) ** 2).mean()
#       loss.backward()
# -     if (i + 1) % k == 0:
# +     if (i + 1) % k == 0 or i + 1 == len(batches):

# %% wrong: not cleared at the end
# -     loss = ((w - x) ** 2).mean() / k
# +     loss = ((w - x) ** 2).mean() / (k if i < 4 else 1)

# - print(w, w.grad)
# + optimizer.step()
# + print(w, w.grad)
