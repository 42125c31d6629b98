"""The network has four layers, and the gradient of the first layer is tiny. To find the layer where it becomes tiny, collect the size of the gradient of each layer's result, from the last layer to the first.

`sizes` should hold four pairs: the number of the layer, and the largest absolute value of the gradient of its result. Keep no gradient in any `grad`.
"""
# exercise: write
# covers: hooks.register-hook-debug
# about: why-autograd/keeping-gradients.md#hooks
# hint: Use a hook that appends to `sizes`. `h.register_hook(...)` belongs in the loop, where `h` is the result of this layer.
# hint: A function that is defined in a loop looks up `number` when it is *called*. Pass it as a default: `lambda grad, number=number: ...`

# %% start
import torch

x = torch.tensor([0.5, -1.0])
scales = [1.0, -2.0, 0.01, 3.0]
sizes = []

h = x.clone().requires_grad_()
for number, scale in enumerate(scales):
    h = torch.tanh(h) * scale
loss = h.sum()
loss.backward()
print(sizes)

# %% solution
# -     h = torch.tanh(h) * scale
# +     h = torch.tanh(h) * scale
# +     h.register_hook(lambda grad, number=number: sizes.append((number, grad.abs().max().item())))

# %% right: a named function that makes the hook
# -     h = torch.tanh(h) * scale
# +     def watch(number):
# +         def hook(grad):
# +             sizes.append((number, grad.abs().max().item()))
# +
# +         return hook
# +
# +     h = torch.tanh(h) * scale
# +     h.register_hook(watch(number))

# %% check
assert len(sizes) > 0, "`sizes` is still empty. Register a function that `backward` calls and that appends to it."
assert len(sizes) == 4, "There should be one pair for each of the four layers. Register the hook where `h` is the result of a layer."
assert len({_n for _n, _ in sizes}) == 4, "All pairs have the same number. The function looked `number` up when it was called, and the loop was over by then."
assert [_n for _n, _ in sizes] == [3, 2, 1, 0], "The pairs are there, but not in the order of the backward pass."
_leaf = x.clone().requires_grad_()
_results, _h = [], _leaf
for _scale in scales:
    _h = torch.tanh(_h) * _scale
    _results.append(_h)
_right = torch.autograd.grad(_h.sum(), _results)
assert all(abs(_size - _right[_n].abs().max().item()) < 1e-6 for _n, _size in sizes), "The order is right, but the sizes are wrong. Measure the gradient, which is the argument of the hook."

# %% wrong: registered after the loop
# - loss = h.sum()
# + h.register_hook(lambda grad: sizes.append((number, grad.abs().max().item())))
# + loss = h.sum()

# %% wrong: the number looked up too late
# -     h = torch.tanh(h) * scale
# +     h = torch.tanh(h) * scale
# +     h.register_hook(lambda grad: sizes.append((number, grad.abs().max().item())))

# %% wrong: the values in place of the gradients
# -     h = torch.tanh(h) * scale
# +     h = torch.tanh(h) * scale
# +     h.register_hook(lambda grad, number=number, h=h: sizes.append((number, h.detach().abs().max().item())))

# %% wrong: during the forward pass
# -     h = torch.tanh(h) * scale
# +     h = torch.tanh(h) * scale
# +     sizes.append((number, h.abs().max().item()))
