"""Somebody's own operation keeps a tensor with `ctx.x = x`. The gradient is wrong, and no error says so. After which line is it too late?"""
# exercise: point
# covers: inplace.no-error-means-right
# about: extending/index.md#a-function-has-two-halves
# at: line
# answer: changes hidden.sum().item()
# hint: Which numbers does `backward` multiply with?
# hint: `save_for_backward` would have noticed the line. Which line writes into what `ctx` holds?

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
# hint: A clone has numbers of its own. Does `ctx` hold the clone?

# %% wrong: seen = hidden.detach()
# hint: `detach` makes a second name for the same numbers. So far nobody has written anything.

# %% wrong: squares.mul_(10)
# hint: The result is multiplied in place, and recorded. Does the rule of `Square` need its result?

# %% wrong: squares.sum().backward()
# hint: Here the wrong number is used. Since when has it been wrong?
