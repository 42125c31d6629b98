"""`average` should return the mean of some pictures of bytes, as whole numbers. Where the pictures are bright, their average is dark. Repair it."""
# exercise: repair
# covers: tensor-create.zeros-like
# about: tensors/creating.md#zeros_like
# hint: Print `total` in the loop. Which is the first number that can't be right?
# hint: Which dtype has `total`, and who decided that?
# hint: `zeros_like` takes the dtype of its template, and a byte has no room for 422. Name a dtype that has.

# %% start
import torch


def average(pictures):
    total = torch.zeros_like(pictures[0])
    for picture in pictures:
        total += picture
    return total // len(pictures)


monday = torch.tensor([201, 101, 41], dtype=torch.uint8)
tuesday = torch.tensor([221, 121, 61], dtype=torch.uint8)
print(average([monday, tuesday]))

# %% solution
# -     total = torch.zeros_like(pictures[0])
# +     total = torch.zeros_like(pictures[0], dtype=torch.int64)

# %% right: a sum has room
# -     total = torch.zeros_like(pictures[0])
# -     for picture in pictures:
# -         total += picture
# -     return total // len(pictures)
# +     return torch.stack(pictures).sum(0) // len(pictures)

# %% check
_made = average([torch.tensor([one, 101, 3], dtype=torch.uint8) for one in (251, 241, 247)])
_one = average([torch.tensor([7], dtype=torch.uint8)])
assert not (_made.is_floating_point() and _made[0] < 200), "The dark numbers are floats now. The sum had lost its 256s before that."
assert _made.tolist() != [245, 99, 3], "The bright pixels are bright, and some are too small by one or two. How many fractions were cut off on the way?"
assert _made.tolist() == [246, 101, 3], f"The mean of 251, 241 and 247 should be 246, and it is {_made[0].item()}."

# %% wrong: floats at the end
# -     return total // len(pictures)
# +     return total.float() / len(pictures)

# %% wrong: divided on the way
# -         total += picture
# -     return total // len(pictures)
# +         total += picture // len(pictures)
# +     return total
