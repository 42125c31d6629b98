"""A camera delivers pictures as height, width, channel. `channels_first` should give channel, height, width, and the picture comes out scrambled. Repair it."""
# exercise: repair
# covers: tensor-ops.permute
# about: tensors/memory.md#permute-is-not-view
# hint: The shape is right. Print `channels_first(image)[0]`: the numbers of channel 0 should all be below 100.
# hint: `view` cuts the numbers in the order of memory. Which function takes an axis to another place?
# hint: In `permute` you name the old axes in their new order. Where were the channels, and what follows them?

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
assert _made.shape == (3, 2, 5), "The shape should be channel, height, width. `transpose` swaps two axes, and here all three change places."
assert not torch.equal(_made, _image.reshape(3, 2, 5)), "The shape fits, and channel 0 holds numbers of all three channels: the order of memory was cut at other places."
assert not torch.equal(_made, _image.flip(2).permute(2, 0, 1)), "The channels come in front now, in the wrong order."
assert torch.equal(_made, _image.permute(2, 0, 1)), "The channels come in front now, but inside each of them the pixels have changed places."

# %% wrong: reshape
# -     return image.view(channels, height, width)
# +     return image.reshape(channels, width, height).transpose(1, 2)

# %% wrong: two axes swapped
# -     return image.view(channels, height, width)
# +     return image.transpose(0, 2)

# %% wrong: backwards
# -     return image.view(channels, height, width)
# +     return image.flip(2).permute(2, 0, 1)
