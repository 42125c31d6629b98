"""From round 3 on, only `head` should learn, and `inputs` lists only `head`. But `body` continues to move, faster and faster. Repair the program.

`body` must keep its value from round 2, and the optimizer must keep both weights, because a later training run needs them.
"""
# exercise: repair
# about: using-autograd/accumulation.md#zero-is-not-none
# hint: Print `body.grad` in each round. It keeps the gradient from round 2.
# hint: `inputs` says which `.grad` the pass fills. The others stay as they are, and the optimizer uses what it finds in them.

# %% start
import torch

body = torch.tensor(1.0, requires_grad=True)
head = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([body, head], lr=0.01, momentum=0.9)

for round in range(1, 7):
    loss = (body * head * 2 - 6) ** 2
    if round <= 2:
        optimizer.zero_grad()
        loss.backward()
    else:
        head.grad = None
        loss.backward(inputs=[head])
    optimizer.step()
    print(round, body.item(), head.item())

# %% solution
# -         head.grad = None
# +         optimizer.zero_grad()

# %% right: both cleared by hand
# -         head.grad = None
# +         head.grad = body.grad = None

# %% right: frozen, and cleared
# -         head.grad = None
# +         body.requires_grad_(False)
# +         optimizer.zero_grad()

# %% check
assert body.item() > 1.1, "`body` must learn in the first two rounds."
assert body.grad is None or body.grad.item() == 0.0, "In round 6, `body.grad` still holds the gradient of round 2. The pass doesn't change it, and the optimizer uses it."
assert abs(body.item() - 1.4575) < 1e-3, f"The gradient of `body` is zero now, but `body` has still moved from 1.4575 to {body.item():.4f}. An optimizer with momentum skips a weight only if its gradient is `None`."
assert abs(head.item() - 2.7134) < 1e-3, f"`body` keeps its value now. `head` should be 2.7134 after six rounds, but it is {head.item():.4f}."

# %% wrong: zeros
# -         head.grad = None
# +         optimizer.zero_grad(set_to_none=False)

# %% wrong: at rest from the beginning
# -         loss.backward()
# +         loss.backward(inputs=[head])

# %% wrong: nothing learns any more
# -         head.grad = None
# -         loss.backward(inputs=[head])
# +         optimizer.zero_grad()
