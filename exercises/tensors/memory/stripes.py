"""`channels_first` scrambles its picture. Repair it: a picture of height, width, channel should become channel, height, width."""
# exercise: repair
# covers: tensor-ops.permute
# about: tensors/memory.md#permute-is-not-view
# hint: The shape is right. Print `channels_first(image)[0]`: the numbers of channel 0 should all be below 100.
# hint: `view` cuts the numbers in the order of the storage. `permute` moves axes.
# hint: In `permute` you name the old axes in their new order. The channels were axis 2.

# %% start
import torch

pixel = torch.arange(8).reshape(2, 4)
image = torch.stack((pixel, pixel + 100, pixel + 200), dim=2)  # 2 rows, 4 columns, 3 channels


def channels_first(image):
    height, width, channels = image.shape
    return image.view(channels, height, width)


print(channels_first(image))

# %% solution
# -     return image.view(channels, height, width)
# +     return image.permute(2, 0, 1)

# %% right: move one axis
# -     return image.view(channels, height, width)
# +     return image.movedim(2, 0)

# %% check
_image = torch.arange(30).reshape(2, 5, 3)
_made = channels_first(_image)
assert _made.shape == (3, 2, 5), "The shape should be channel, height, width. `transpose` swaps two axes, but here all three move."
assert not torch.equal(_made, _image.reshape(3, 2, 5)), "The shape is right, but channel 0 holds numbers of all three channels, because the storage was cut at other positions."
assert not torch.equal(_made, _image.flip(2).permute(2, 0, 1)), "The channels come first now, but in the wrong order."
assert torch.equal(_made, _image.permute(2, 0, 1)), "The channels come first now, but the pixels inside each channel have moved."

# %% wrong: reshape
# -     return image.view(channels, height, width)
# +     return image.reshape(channels, width, height).transpose(1, 2)

# %% wrong: two axes swapped
# -     return image.view(channels, height, width)
# +     return image.transpose(0, 2)

# %% wrong: backwards
# -     return image.view(channels, height, width)
# +     return image.flip(2).permute(2, 0, 1)
