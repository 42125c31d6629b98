"""`brighter` should add 100 to every pixel of a picture whose pixels are bytes, 0 for black and 255 for white. The brightest pixels come out dark. Repair it; what would be brighter than white becomes white."""
# exercise: repair
# covers: tensor-props.class-parts
# about: tensors/dtypes.md#full-bytes
# hint: Print `image.dtype`. Which is the largest number that it can hold?
# hint: A byte counts on from 255 to 0. `200 + 100` becomes 44.
# hint: Compute in a type with more room, such as `torch.int64`. `clamp(max=255)` cuts off, and `to(torch.uint8)` goes back.

# %% start
import torch


def brighter(image):
    return image + 100


image = torch.tensor([[0, 60, 120], [150, 200, 255]], dtype=torch.uint8)
print(brighter(image))

# %% solution
# -     return image + 100
# +     return (image.to(torch.int64) + 100).clamp(max=255).to(torch.uint8)

# %% right: cut off first
# -     return image + 100
# +     return image.clamp(max=155) + 100

# %% check
_made = brighter(torch.tensor([10, 155, 156, 250], dtype=torch.uint8))
_numbers = _made.tolist()
assert _numbers != [110, 255, 0, 94], "The sums are taken in bytes: 250 and 100 make 94. What you cut off after that is cut off too late."
assert max(_numbers) <= 255, "Now there is room for 350. A picture has no pixel brighter than 255."
assert _numbers != [110, 255, 0, 255], "One of the pixels that should be white is black."
assert _numbers == [110, 255, 255, 255], "All pixels should be brighter by 100, or white. Print what becomes of 10, 155, 156 and 250."
assert _made.dtype == torch.uint8, f"The numbers are right, in another type: {_made.dtype}. A picture of bytes went in."

# %% wrong: no limit
# -     return image + 100
# +     return image.to(torch.int64) + 100

# %% wrong: back without a limit for some
# -     return image + 100
# +     return torch.where(image > 156, torch.full_like(image, 255), image + 100)

# %% wrong: scaled
# -     return image + 100
# +     return (image / 2 + 127).to(torch.uint8)

# %% wrong: floats
# -     return image + 100
# +     return (image.float() + 100).clamp(max=255)
