"""Two batches make one step, and there are five. The last one never has an effect. Repair the loop: it is to make a step of its own, as long as any other.

A step goes by the *mean* of the batches that it is made of.
"""
# exercise: repair
# covers: memory.grad-accum.snippet
# about: memory-and-speed/accumulation.md#what-is-left-at-the-end
# hint: In which rounds is the condition true? Print `i`.
# hint: The last group has one batch. What is its loss divided by?

# %% start
import torch

batches = [torch.tensor([v]) for v in (3.0, 1.0, 5.0, 7.0, 4.0)]
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
k = 2

for i, x in enumerate(batches):
    loss = (w * x).mean() / k
    loss.backward()
    if (i + 1) % k == 0:
        optimizer.step()
        optimizer.zero_grad()
print(w, w.grad)

# %% solution
# -     loss = (w * x).mean() / k
# +     begin = i - i % k
# +     loss = (w * x).mean() / min(k, len(batches) - begin)
#       loss.backward()
# -     if (i + 1) % k == 0:
# +     if (i + 1) % k == 0 or i + 1 == len(batches):

# %% right: group by group
# - for i, x in enumerate(batches):
# -     loss = (w * x).mean() / k
# -     loss.backward()
# -     if (i + 1) % k == 0:
# -         optimizer.step()
# -         optimizer.zero_grad()
# + for begin in range(0, len(batches), k):
# +     group = batches[begin : begin + k]
# +     for x in group:
# +         ((w * x).mean() / len(group)).backward()
# +     optimizer.step()
# +     optimizer.zero_grad()

# %% check
_w = w.item()
assert abs(_w + 0.8) > 1e-5 or w.grad is None, "Two steps of 0.2 and 0.6 have been made. The gradient of the fifth batch lies in `w.grad` and waits."
assert abs(_w + 0.8) > 1e-5, "The gradient of the fifth batch is cleared now. It was to make a step."
assert abs(_w + 1.0) > 1e-5, "The fifth batch makes a step, half as long as it should be: its group has one batch and not two."
assert abs(_w + 2.0) > 1e-5, "Each loss counts in full now, or makes a step of its own. A step was to go by the mean of its batches."
assert abs(_w + 1.2) < 1e-5, f"Steps of 0.2, 0.6 and 0.4 should lead to -1.2. `w` is at {_w:.2f}."
assert w.grad is None or w.grad.item() == 0.0, "`w` is right, but the last gradient is still there, and the next epoch would add to it."

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
# -     loss = (w * x).mean() / k
# +     loss = (w * x).mean() / len(batches)

# %% wrong: no division
# -     loss = (w * x).mean() / k
# +     loss = (w * x).mean()
#       loss.backward()
# -     if (i + 1) % k == 0:
# +     if (i + 1) % k == 0 or i + 1 == len(batches):

# %% wrong: not cleared at the end
# -     loss = (w * x).mean() / k
# +     loss = (w * x).mean() / (k if i < 4 else 1)

# - print(w, w.grad)
# + optimizer.step()
# + print(w, w.grad)
