"""`ExpInPlace` writes its result into its input to save memory, but the gradient is wrong: `x.grad` holds ones.

Repair the class. The derivative of $e^h$ is the new value of `h`, so `x.grad` must hold 3 and 4.
"""
# exercise: repair
# covers: function.save-for-backward
# about: extending/context.md#mark_dirty
# hint: Print `h.grad_fn` after the call. It names the multiplication, as if `h` had not been changed.
# hint: A Function has to mark a tensor that it changes in place, and to return that tensor itself.

# %% start
import torch


class ExpInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        h.exp_()
        ctx.save_for_backward(h)
        return h.clone()

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


x = torch.tensor([3.0, 4.0]).log().requires_grad_()
h = x * 1
ExpInPlace.apply(h)
h.sum().backward()
print(x.grad)

# %% solution
# -         return h.clone()
# +         ctx.mark_dirty(h)
# +         return h

# %% check
_x = torch.tensor([3.0, 4.0]).log().requires_grad_()
_h = _x * 1
_before = _h.data_ptr()
_y = ExpInPlace.apply(_h)
_weights = torch.tensor([1.0, 10.0])
assert torch.allclose(_h.detach(), torch.tensor([3.0, 4.0])), "`h` keeps its old numbers now. The operation should still work in place."
assert _h.grad_fn.name() == "ExpInPlaceBackward", "In the graph, `h` is still the result of `x * 1`, because the change isn't marked."
assert _y is _h, "The call should return the tensor that was changed, and not another one."
assert torch.allclose(torch.autograd.grad((_h * _weights).sum(), _x)[0], torch.tensor([3.0, 40.0])), "`h` has the right `grad_fn`, but the gradient of `x` is wrong. `backward` should multiply by the values after `exp_`."

# %% right: marked first
# -         h.exp_()
# -         ctx.save_for_backward(h)
# -         return h.clone()
# +         ctx.mark_dirty(h)
# +         ctx.save_for_backward(h.exp_())
# +         return h

# %% wrong: out of place
# -         h.exp_()
# -         ctx.save_for_backward(h)
# -         return h.clone()
# +         y = h.exp()
# +         ctx.save_for_backward(y)
# +         return y

# %% wrong: a copy marked, a copy returned
# error: RuntimeError: Some elements marked as dirty during the forward method were not returned as output. ...
# hint: Return the tensor that you mark. A copy of it is a different tensor.
# -         return h.clone()
# +         ctx.mark_dirty(h)
# +         return h.clone()

# %% wrong: returned as well, in a pair
# -         return h.clone()
# +         ctx.mark_dirty(h)
# +         return h.clone(), h

# -         return g * y
# +         return 0 * y

# -     def backward(ctx, g):
# +     def backward(ctx, g, _):

# %% wrong: the values before
# -         h.exp_()
# -         ctx.save_for_backward(h)
# -         return h.clone()
# +         ctx.save_for_backward(h.clone())
# +         h.exp_()
# +         ctx.mark_dirty(h)
# +         return h
