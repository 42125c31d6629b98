"""The log should hold the length of the gradient of each of the two losses with respect to `w`. In the first step it says 0 for the second loss, which is wrong.

Repair the program. Each step must still use both losses.
"""
# exercise: repair
# about: using-autograd/grad.md#it-returns-and-stores-nothing
# hint: When the program computes the second length, `w.grad` holds the sum of both gradients.
# hint: `torch.autograd.grad` returns a gradient and leaves `.grad` alone. It frees the graph unless you keep it with `retain_graph=True`.

# %% start
import torch

x = torch.tensor([[3.0, 0.0], [0.0, 4.0]])
w = torch.tensor([1.0, 1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

log = []
for step in range(2):
    score = x @ w
    first, second = score.sum(), -(score * torch.tensor([1.0, 1.0 + step])).sum()
    optimizer.zero_grad()
    first.backward(retain_graph=True)
    pull_of_first = w.grad.norm().item()
    second.backward()
    pull_of_second = w.grad.norm().item()
    log.append((pull_of_first, pull_of_second))
    optimizer.step()
print(log)

# %% solution
# -     first.backward(retain_graph=True)
# -     pull_of_first = w.grad.norm().item()
# -     second.backward()
# -     pull_of_second = w.grad.norm().item()
# +     (of_first,) = torch.autograd.grad(first, w, retain_graph=True)
# +     (of_second,) = torch.autograd.grad(second, w, retain_graph=True)
# +     pull_of_first, pull_of_second = of_first.norm().item(), of_second.norm().item()
# +     (first + second).backward()

# %% right: the difference between two looks
# -     pull_of_first = w.grad.norm().item()
# -     second.backward()
# -     pull_of_second = w.grad.norm().item()
# +     of_first = w.grad.clone()
# +     pull_of_first = of_first.norm().item()
# +     second.backward()
# +     pull_of_second = (w.grad - of_first).norm().item()

# %% right: put together by hand
# -     first.backward(retain_graph=True)
# -     pull_of_first = w.grad.norm().item()
# -     second.backward()
# -     pull_of_second = w.grad.norm().item()
# +     (of_first,) = torch.autograd.grad(first, w, retain_graph=True)
# +     (of_second,) = torch.autograd.grad(second, w)
# +     pull_of_first, pull_of_second = of_first.norm().item(), of_second.norm().item()
# +     w.grad = of_first + of_second

# %% check
_second = [pull for _, pull in log]
assert max(_second) > 1e-3, "The log says 0 in both steps, because a tensor is subtracted from itself. `backward` adds to the tensor in `.grad`, so your second name for it shows the same numbers. Clone it first."
assert len(log) == 2 and abs(log[0][0] - 5) < 1e-3, "In the first step, the gradient of the first loss has the length 5. The program had this number right."
assert abs(_second[0]) > 1e-3, "In the first step, the second loss is the negative of the first, so its gradient has the same length. `w.grad` already held the gradient of the first loss."
assert abs(_second[0] - 5) < 1e-3 and abs(_second[1] - 73**0.5) < 1e-3, f"The gradient of the second loss has the lengths 5.0 and 8.5, but the log says {_second[0]:.1f} and {_second[1]:.1f}."
assert torch.allclose(w.detach(), torch.tensor([1.0, 1.4])), "The log is right now, but the steps no longer use the sum of both gradients."

# %% wrong: cleared in between
# -     second.backward()
# +     optimizer.zero_grad()
# +     second.backward()

# %% wrong: a second name for the gradient
# -     pull_of_first = w.grad.norm().item()
# -     second.backward()
# -     pull_of_second = w.grad.norm().item()
# +     of_first = w.grad
# +     pull_of_first = of_first.norm().item()
# +     second.backward()
# +     pull_of_second = (w.grad - of_first).norm().item()

# %% wrong: lengths subtracted
# -     pull_of_second = w.grad.norm().item()
# +     pull_of_second = abs(w.grad.norm().item() - pull_of_first)

# %% wrong: the second loss first
# -     first.backward(retain_graph=True)
# -     pull_of_first = w.grad.norm().item()
# -     second.backward()
# -     pull_of_second = w.grad.norm().item()
# +     second.backward(retain_graph=True)
# +     pull_of_second = w.grad.norm().item()
# +     first.backward()
# +     pull_of_first = w.grad.norm().item()
