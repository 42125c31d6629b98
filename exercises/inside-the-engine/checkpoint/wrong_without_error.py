"""This Function keeps its input with `ctx.x = x` instead of `save_for_backward`. The gradient is wrong, and there is no error.

Choose the line that overwrites the numbers which `backward` needs.
"""
# exercise: point
# covers: inplace.no-error-means-right
# about: extending/index.md#a-function-has-two-halves
# at: line
# answer: changes hidden.sum().item()
# hint: `backward` multiplies by `ctx.x`, which is the tensor `hidden`.
# hint: Look for a write in place to a tensor that shares its storage with `hidden`.

# %% start
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.x * g


w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
hidden = w * 2
squares = Square.apply(hidden)
copy = hidden.clone().detach()
copy.clamp_(max=3)
seen = hidden.detach()
squares.mul_(10)
seen.clamp_(max=3)
squares.sum().backward()
print(w.grad)

# %% wrong: copy.clamp_(max=3)
# hint: `clone` copies the numbers, so this line changes the copy and leaves `hidden` as it is.

# %% wrong: seen = hidden.detach()
# hint: `detach` returns a tensor that shares the storage of `hidden`, but this line doesn't write to it.

# %% wrong: squares.mul_(10)
# hint: This line overwrites the result of `Square`. Its `backward` needs the input.

# %% wrong: squares.sum().backward()
# hint: Here the wrong numbers are used. An earlier line has written them.
