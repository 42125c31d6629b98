"""Four tensors are written to, and only one of these writes breaks `backward`. Which line is it?"""
# exercise: point
# covers: inplace.version-unused-ok
# about: in-place/versions.md#only-what-is-needed-is-compared
# at: line
# answer: changes result.grad_fn.next_functions[0][0].next_functions[0][0]._saved_self
# hint: For each operation, ask what its derivative needs: the inputs, the result, or nothing.
# hint: The derivative of `exp` is its own result. The derivative of `a * b` needs both factors. A sum needs nothing.

# %% start
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
scaled = x * 2
scaled += 1
product = scaled * scaled
shifted = product + 3
product.zero_()
result = shifted.exp()
shifted.zero_()
scaled.clamp_(max=4)
loss = result.sum()
loss.backward()

# %% wrong: scaled += 1
# hint: `scaled` is written to here, and nobody has saved it yet: `x * 2` needs the 2, not its own result.

# %% wrong: product.zero_()
# hint: A product needs its factors. Its result may be overwritten.

# %% wrong: shifted.zero_()
# hint: `shifted` went into `exp`, which needs its result and not its input.

# %% wrong: loss.backward()
# hint: This is where the error is raised. The write that causes it came before.
