"""`Sort` sorts the times of three runners, and its gradient is right, but after the call the fastest time belongs to the wrong name.

Repair the class. The call must not change `times`.
"""
# exercise: repair
# covers: function.save-for-backward
# about: extending/context.md#mark_dirty
# hint: Print `times` before and after the call.
# hint: `x.numpy()` copies nothing, and `sort()` sorts the array in place.

# %% start
import torch


class Sort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values = x.numpy()
        order = values.argsort()
        values.sort()
        ctx.save_for_backward(torch.from_numpy(order))
        return torch.from_numpy(values)

    @staticmethod
    def backward(ctx, grad_output):
        (order,) = ctx.saved_tensors
        grad = torch.zeros_like(grad_output)
        grad[order] = grad_output
        return grad


names = ["Ann", "Bea", "Cid"]
measured = torch.tensor([13.0, 11.0, 12.0], requires_grad=True)
times = measured + 0.5
places = Sort.apply(times)
(places * torch.tensor([3.0, 2.0, 1.0])).sum().backward()
print(names[times.argmin().item()], measured.grad)

# %% solution
# -         values = x.numpy()
# +         values = x.numpy().copy()

# %% right: sorted by the order
# -         values.sort()
# +         values = values[order]

# %% check
_grad = measured.grad
assert isinstance(places, torch.Tensor) and torch.equal(places.detach(), torch.tensor([11.5, 12.5, 13.5])), "The result must be the sorted times: 11.5, 12.5, 13.5."
assert torch.equal(_grad, torch.tensor([1.0, 3.0, 2.0])), f"The gradient of `measured` is {_grad.tolist()}. It should be 1, 3 and 2, as before."
assert places is not times, "With the mark, the graph contains the change of `times`. But `times` is still changed, so Ann still has the fastest time."
assert times.argmin().item() != 0, "Ann was the slowest, but in `times` she is the fastest, because `forward` has written into `times`."

# %% wrong: not sorted
# -         values.sort()
# +

# %% wrong: marked dirty
# -         return torch.from_numpy(values)
# +         ctx.mark_dirty(x)
# +         return x

# %% wrong: sorted twice
# -         values = x.numpy()
# -         order = values.argsort()
# -         values.sort()
# +         values = x.numpy().copy()
# +         values.sort()
# +         order = values.argsort()
