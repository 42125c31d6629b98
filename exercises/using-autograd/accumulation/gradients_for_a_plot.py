"""`history` should hold the gradient of each of the five steps, but it holds the same number five times. Repair the program and leave the steps as they are."""
# exercise: repair
# covers: autograd.grad-accumulates
# about: using-autograd/accumulation.md#the-tensor-itself-changes
# hint: Print `history` in each round, not only at the end.
# hint: In the second round `w.grad` is the same tensor, with another number in it.

# %% start
import torch

w = torch.tensor([4.0], requires_grad=True)
history = []
for step in range(5):
    loss = ((w - 1) ** 2).sum()
    loss.backward()
    history.append(w.grad)
    with torch.no_grad():
        w -= 0.25 * w.grad
    w.grad.zero_()
print(history)

# %% solution
# -     history.append(w.grad)
# +     history.append(w.grad.clone())

# %% right: the number itself
# -     history.append(w.grad)
# +     history.append(w.grad.item())

# %% right: a new tensor for each step
# -     w.grad.zero_()
# +     w.grad = None

# %% check
_found = [float(_one) for _one in history]
_memories = {_one.data_ptr() for _one in history if torch.is_tensor(_one)}
assert _found != [0.0] * 5 or len(_memories) < 5, "These are five copies now, but each was made after the zeros had been written. Copy the gradient before it is cleared."
assert _found != [0.0] * 5 or len({id(_one) for _one in history}) == 1, "These are five tensors now, but they share one storage. `detach` returns a new tensor with the same storage."
assert _found != [0.0] * 5, "All five entries are the same tensor, and the last line of the loop writes zeros into it."
assert _found != [_found[-1]] * 5, "The list still holds one tensor five times, and now it is never cleared."
assert abs(w.item() - 1.09375) < 1e-6, f"`w` ends at {w.item():.4f}. It should end at 1.0938, as before: each step uses only the gradient of this step."
assert _found == [6.0, 3.0, 1.5, 0.75, 0.375], f"The five gradients are 6, 3, 1.5, 0.75 and 0.375. `history` holds {_found}."

# %% wrong: detached
# -     history.append(w.grad)
# +     history.append(w.grad.detach())

# %% wrong: never cleared
# -     w.grad.zero_()

# %% wrong: a clone, and never cleared
# -     history.append(w.grad)
# +     history.append(w.grad.clone())

# -     w.grad.zero_()

# %% wrong: cloned too late
# -     history.append(w.grad)

# -     w.grad.zero_()
# +     w.grad.zero_()
# +     history.append(w.grad.clone())

# %% wrong: the losses
# -     history.append(w.grad)
# +     history.append(loss.item())
