"""The log should say how hard each of the two losses pulls at `w`: the length of its gradient. In the first step it says 0 for the second loss, which is wrong.

Repair the program. Each step must go on using both losses.
"""
# exercise: repair
# about: using-autograd/grad.md#it-returns-and-stores-nothing
# hint: When its length is taken for the second time, `w.grad` holds the sum of both gradients.
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
assert max(_second) > 1e-3, "0 in both steps: a tensor minus itself. `backward` adds into the tensor that is in `.grad`, and your name for it sees the change."
assert len(log) == 2 and abs(log[0][0] - 5) < 1e-3, "The first loss pulls with 5 in the first step. So said the program before."
assert abs(_second[0]) > 1e-3, "The second loss is the negative of the first, in the first step. It pulls as hard, the other way. What was in `w.grad` already?"
assert abs(_second[0] - 5) < 1e-3 and abs(_second[1] - 73**0.5) < 1e-3, f"The second loss pulls with 5.0 and then with 8.5, and the log says {_second[0]:.1f} and {_second[1]:.1f}."
assert torch.allclose(w.detach(), torch.tensor([1.0, 1.4])), "The log is right now. But the steps no longer use the sum of both gradients."

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
