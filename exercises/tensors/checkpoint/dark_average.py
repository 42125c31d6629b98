"""Where the pictures are bright, their average is dark. Repair `average`: it should return the mean of several pictures of bytes, as integers."""
# exercise: repair
# covers: tensor-create.zeros-like
# about: tensors/creating.md#zeros_like
# hint: Print `total` in the loop. After the second picture it is too small.
# hint: `total` has the dtype of its template, which holds bytes.
# hint: A byte can't hold 422. Pass a wider dtype to `zeros_like`.

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
assert not (_made.is_floating_point() and _made[0] < 200), "The dark numbers are floats now, but the sum had overflowed before the conversion."
assert _made.tolist() != [245, 99, 3], "The bright pixels are bright, but some are too small by one or two, because a fraction was cut off for each picture."
assert _made.tolist() == [246, 101, 3], f"The mean of 251, 241 and 247 should be 246. Yours is {_made[0].item()}."

# %% wrong: floats at the end
# -     return total // len(pictures)
# +     return total.float() / len(pictures)

# %% wrong: divided on the way
# -         total += picture
# -     return total // len(pictures)
# +         total += picture // len(pictures)
# +     return total
