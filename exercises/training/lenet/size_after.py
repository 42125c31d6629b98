"""Write `size_after`, which returns the height of a picture after a convolution or a pooling, without running it."""
# exercise: write
# covers: module.lenet
# about: training/lenet.md#the-shapes
# hint: Padding makes the picture larger on both sides.
# hint: The upper edge of the window can move by the padded height minus the height of the window. Count the steps of `stride` that fit into that, and add 1 for where it began.

# %% start
def size_after(n, kernel, stride=1, padding=0):
    """The height behind a window of height `kernel` that moves by `stride` over `n` rows, with `padding` on both sides."""
    return n


print(size_after(28, 5), size_after(24, 2, stride=2))

# %% solution
# -     return n
# +     return (n + 2 * padding - kernel) // stride + 1

# %% right: counted
# -     return n
# +     return len(range(0, n + 2 * padding - kernel + 1, stride))

# %% check
import torch as _torch
import torch.nn.functional as _F


def _real(n, kernel, stride, padding):
    return _F.conv2d(_torch.zeros(1, 1, n, n), _torch.zeros(1, 1, kernel, kernel), stride=stride, padding=padding).shape[-1]


assert size_after(28, 5) != 28, "A 5 by 5 window fits into 28 rows in fewer than 28 places."
assert size_after(28, 5) == 24, f"For a 5 by 5 window over 28 rows, your result is {size_after(28, 5)}, but `conv2d` makes 24. A window as high as the picture has one position."
assert size_after(24, 2, stride=2) == 12, f"Pooling by 2 halves 24 to 12, but your result is {size_after(24, 2, stride=2)}."
assert size_after(7, 3, stride=2, padding=1) == _real(7, 3, 2, 1), "The result is wrong with padding 1. Padding adds rows above *and* below."
assert size_after(10, 3, stride=2) == _real(10, 3, 2, 0), "With 10 rows, a window of 3 and steps of 2, the last step doesn't fit. Don't count it."
assert isinstance(size_after(9, 3, 3), int) and size_after(9, 3, 3) == 3, "9 rows in steps of 3 make 3. Return it as an integer."

# %% wrong: one short
# -     return n
# +     return (n + 2 * padding - kernel) // stride

# %% wrong: the stride forgotten
# -     return n
# +     return n + 2 * padding - kernel + 1

# %% wrong: padding on one side
# -     return n
# +     return (n + padding - kernel) // stride + 1

# %% wrong: rounded up
# -     return n
# +     return -((kernel - n - 2 * padding) // stride) + 1

# %% wrong: a fraction
# -     return n
# +     return float((n + 2 * padding - kernel) // stride + 1)
