"""From round 3 on only the head should learn, and `inputs` says so. But `body` goes on moving, faster and faster. Repair the program.

`body` must stay where round 2 has put it, and the optimizer has to keep both weights: in another training run it needs them.
"""
# exercise: repair
# about: using-autograd/accumulation.md#zero-is-not-none
# hint: Print `body.grad` in each round. It stays what round 2 has put there.
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
assert body.item() > 1.1, "`body` has to learn in the first two rounds."
assert body.grad is None or body.grad.item() == 0.0, "In round 6 there is still the gradient of round 2 in `body.grad`. The pass doesn't touch it, and the optimizer takes what it finds."
assert abs(body.item() - 1.4575) < 1e-3, f"The gradient of `body` is zero now, and it has gone from 1.4575 to {body.item():.4f} all the same. Does an optimizer with momentum rest at zero?"
assert abs(head.item() - 2.7134) < 1e-3, f"`body` rests. `head` should be at 2.7134 after six rounds, and is at {head.item():.4f}."

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
