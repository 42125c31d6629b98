"""`brighter` adds 100 to every pixel of a picture of bytes, where 0 is black and 255 is white, and the brightest pixels become dark. Repair it: pixels that would exceed 255 should become white."""
# exercise: repair
# covers: tensor-props.class-parts
# about: tensors/from-data.md#full-bytes
# hint: Print `image.dtype`. The largest number that it can hold is 255.
# hint: A byte overflows: `200 + 100` becomes 44.
# hint: Compute in a wider dtype, such as `torch.int64`. `clamp(max=255)` cuts off, and `to(torch.uint8)` goes back.

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
assert _numbers != [110, 255, 0, 94], "The sums are computed in bytes, so 250 + 100 is 94. Clamping after that is too late."
assert max(_numbers) <= 255, "The sums are right now, but no pixel of a picture exceeds 255."
assert _numbers != [110, 255, 0, 255], "One of the pixels that should be white is black."
assert _numbers == [110, 255, 255, 255], "All pixels should be brighter by 100, or white. Print the results for 10, 155, 156 and 250."
assert _made.dtype == torch.uint8, f"The numbers are right, but their dtype is {_made.dtype}. The result should be a picture of bytes."

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
