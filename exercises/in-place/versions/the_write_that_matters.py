"""This program writes to four tensors, and only one of these writes makes `backward` fail. Point at that line."""
# exercise: point
# covers: inplace.version-unused-ok
# about: in-place/versions.md#only-what-is-needed-is-compared
# at: line
# answer: changes result.grad_fn.next_functions[0][0].next_functions[0][0]._saved_self
# hint: For each operation, ask what its derivative needs: its inputs, its result, or nothing.
# hint: The derivative of `exp` is its own result. The derivative of `a * b` needs both factors. An addition needs nothing.

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
# hint: When this line writes to `scaled`, no node has saved it yet: `x * 2` needs only the 2.

# %% wrong: product.zero_()
# hint: A multiplication saves its factors, and `product` is its result. An addition saves nothing, so no node needs `product`.

# %% wrong: shifted.zero_()
# hint: `shifted` went into `exp`, which saves its result and not its input.

# %% wrong: loss.backward()
# hint: This is where the error is raised. The write that causes it comes earlier.
