"""The program makes four changes to each picture, and three of them process 786432 numbers. Put `crop` as early as possible without changing the result."""
# exercise: repair
# covers: tricks.transform-order
# about: training/loading-in-parallel.md#crop-first
# hint: Find out for each of the three changes on which pixels one pixel of its result depends.
# hint: `crop` may move to the front past a change that uses single pixels, but not past a change that uses others.

# %% start
import torch

worked_on = []


def count(change):
    def counted(image):
        worked_on.append(image.numel())
        return change(image)

    return counted


def crop(image):
    return image[:, 100:324, 100:324]


darker = count(lambda image: image * 0.9)
contrast = count(lambda image: (image - image.mean()) * 2 + image.mean())
squared = count(lambda image: image**2)

changes = [darker, contrast, squared, crop]

torch.manual_seed(0)
image = torch.rand(3, 512, 512)
for change in changes:
    image = change(image)
print(image.shape, worked_on)

# %% solution
# - changes = [darker, contrast, squared, crop]
# + changes = [darker, contrast, crop, squared]

# %% right: the mean doesn't mind the order of these two lines of work
# - changes = [darker, contrast, squared, crop]
# + changes = [contrast, crop, darker, squared]

# %% check
torch.manual_seed(0)
_whole = torch.rand(3, 512, 512) * 0.9
_want = (((_whole - _whole.mean()) * 2 + _whole.mean()) ** 2)[:, 100:324, 100:324]
assert image.shape == _want.shape, f"The network takes pictures of 224 by 224, but yours is {tuple(image.shape[1:])}."
assert len(worked_on) == 3, f"Make three changes to each picture besides the crop. Your program made {len(worked_on)}."
assert torch.allclose(image, _want, atol=1e-4) or worked_on[0] > 200_000, "With the crop first, the result is another picture. One of the changes uses more than its own pixel."
assert torch.allclose(image, _want, atol=1e-4), "The result is another picture, although the first change used all of it. Check which changes give another result when they are swapped."
assert sum(worked_on) < 2_000_000, "The result is the same picture, but all three changes process all of it. At least one of them can come after the crop."

# %% wrong: the crop first of all
# - changes = [darker, contrast, squared, crop]
# + changes = [crop, darker, contrast, squared]

# %% wrong: the contrast behind the crop
# - changes = [darker, contrast, squared, crop]
# + changes = [darker, crop, contrast, squared]

# %% wrong: without the contrast
# - changes = [darker, contrast, squared, crop]
# + changes = [darker, crop, squared]

# %% wrong: without the crop
# - changes = [darker, contrast, squared, crop]
# + changes = [darker, contrast, squared]
