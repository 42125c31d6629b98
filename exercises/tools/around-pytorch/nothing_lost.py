"""`batch` crops pictures of different sizes to make one batch. Write it so that it loses no pixel: put each picture into the upper left corner, and fill with 0 up to the largest height and width."""
# exercise: write
# covers: dali.tensorlist-to-numpy
# about: tools/around-pytorch.md#one-shape-or-several
# hint: Find the largest height and the largest width. They may belong to different pictures.
# hint: Begin with zeros of the final shape and write each picture into its corner.

# %% start
import torch


def batch(images):
    height = min(image.shape[0] for image in images)
    width = min(image.shape[1] for image in images)
    return torch.stack([image[:height, :width] for image in images])


print(batch([torch.ones(4, 6, 3), torch.ones(5, 3, 3)]).shape)

# %% solution
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     height = max(image.shape[0] for image in images)
# +     width = max(image.shape[1] for image in images)
# +     result = torch.zeros(len(images), height, width, images[0].shape[2])
# +     for n, image in enumerate(images):
# +         result[n, : image.shape[0], : image.shape[1]] = image
# +     return result

# %% right: padded one by one
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     height = max(image.shape[0] for image in images)
# +     width = max(image.shape[1] for image in images)
# +     pad = torch.nn.functional.pad
# +     return torch.stack([pad(i, (0, 0, 0, width - i.shape[1], 0, height - i.shape[0])) for i in images])

# %% check
_images = [torch.arange(1.0, 25.0).reshape(2, 4, 3), torch.arange(1.0, 28.0).reshape(3, 3, 3)]
_made = batch(_images)
assert _made.shape != (2, 2, 3, 3), "The batch still has the smallest height and width."
assert _made.shape[:1] == (2,) and _made.dim() == 4, f"There are two pictures, so the batch needs four axes and the size 2 along the first. Yours has the shape {tuple(_made.shape)}."
assert _made.shape == (2, 3, 4, 3), f"Height and width should be 3 and 4, the largest of each. They are {_made.shape[1]} and {_made.shape[2]}."
assert torch.equal(_made[0, :2, :4], _images[0]), "The first picture isn't in the upper left corner."
assert torch.equal(_made[1, :3, :3], _images[1]), "The first picture is right, but the second isn't in the upper left corner."
assert _made.sum() == _images[0].sum() + _images[1].sum(), "All pixels are there, but the area around them isn't 0."

# %% wrong: squares
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     side = max(max(image.shape[:2]) for image in images)
# +     result = torch.zeros(len(images), side, side, images[0].shape[2])
# +     for n, image in enumerate(images):
# +         result[n, : image.shape[0], : image.shape[1]] = image
# +     return result

# %% wrong: in the lower right corner
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     height = max(image.shape[0] for image in images)
# +     width = max(image.shape[1] for image in images)
# +     result = torch.zeros(len(images), height, width, images[0].shape[2])
# +     for n, image in enumerate(images):
# +         result[n, height - image.shape[0] :, width - image.shape[1] :] = image
# +     return result

# %% wrong: the first picture at all positions
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     height = max(image.shape[0] for image in images)
# +     width = max(image.shape[1] for image in images)
# +     result = torch.zeros(len(images), height, width, images[0].shape[2])
# +     for n, image in enumerate(images):
# +         result[n, : images[0].shape[0], : images[0].shape[1]] = images[0]
# +     return result

# %% wrong: ones around
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     height = max(image.shape[0] for image in images)
# +     width = max(image.shape[1] for image in images)
# +     result = torch.ones(len(images), height, width, images[0].shape[2])
# +     for n, image in enumerate(images):
# +         result[n, : image.shape[0], : image.shape[1]] = image
# +     return result

# %% wrong: one long picture
# -     height = min(image.shape[0] for image in images)
# -     width = min(image.shape[1] for image in images)
# -     return torch.stack([image[:height, :width] for image in images])
# +     return torch.cat([image.reshape(-1, 3) for image in images])
