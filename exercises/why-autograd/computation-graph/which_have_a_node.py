"""An operation is recorded if at least one of its inputs requires a gradient. Point at all tensors that have a `grad_fn`."""
# exercise: point
# covers: graph.forward-builds-backward tensor-props.grad-fn
# about: why-autograd/computation-graph.md#no-request-no-record
# at: tensors
# answer: where it.grad_fn is not None
# hint: Go through the lines from the top, and look at the inputs of each operation. If one of them requires a gradient, the result has a `grad_fn`.
# hint: A leaf requires a gradient, but no operation computed it, so it has no `grad_fn`.
# hint: `item` returns a plain Python number. A tensor made from it starts without a graph.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
centered = x - x.mean()
score = w * centered
mean = torch.tensor(score.mean().item())
error = score + mean - y
loss = (error * error).mean()
loss.backward()

# %% wrong: w; score; error; loss
# hint: `w` requires a gradient, but no operation computed it. It is a leaf and has no `grad_fn`.

# %% wrong: centered; score; error; loss
# hint: `centered` is the result of a subtraction, but `x` requires no gradient. So the subtraction was not recorded.

# %% wrong: score; mean; error; loss
# hint: The number in `mean` was computed from `score`, but it went through `item`. A Python number has no `grad_fn`, and a tensor made from it has none either.

# %% wrong: score
# hint: `score` has a node. One input that requires a gradient is enough, so whatever is computed from `score` with tensors is recorded as well.

# %% wrong: error; loss
# hint: Both have a node. But `backward` can only reach `w` if the multiplication before them was recorded, too.

# %% wrong: score; loss
# hint: Two of three. `error` was computed from `score`, and one input that requires a gradient is enough.
