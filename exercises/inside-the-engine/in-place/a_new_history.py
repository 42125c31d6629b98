"""After which of these lines does `h` have another node than before?"""
# exercise: point
# covers: inplace.definition
# about: inside-the-engine/in-place.md#the-value-changes-and-so-must-the-history
# at: line
# answer: changes h.grad_fn.name()
# hint: Look for the lines that write into `h`. Only a recorded write gives `h` another node.
# hint: An operation that makes a new tensor leaves the old one with its node.

# %% start
import torch

a = torch.tensor([3.0, 4.0], requires_grad=True)
h = a * 2
k = h.exp()
h.add_(1)
h.detach().zero_()
k.mul_(h.detach())
h[0] = 5
h.sum().backward()
print(a.grad)

# %% wrong: k = h.exp()
# hint: `exp` makes a new tensor. It *reads* `h`, and its own node points to the node of `h`.

# %% wrong: h.detach().zero_()
# hint: This changes the numbers of `h` and its version. But operations on a detached tensor aren't recorded.

# %% wrong: k.mul_(h.detach())
# hint: `k` gets a new node here, and `h` is only read.

# %% wrong: h.sum().backward()
# hint: `backward` walks over the nodes, and doesn't change which node `h` has.
