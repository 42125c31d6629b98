"""A blur by average pooling adds a dark frame to every picture, and the gradients of pixels at the border are too small.

Repair it. The size and the interior of the result must stay the same.
"""
# exercise: repair
# covers: cnn.avgpool-backward
# about: cnn-backward/pooling.md#when-the-share-is-another-one
# hint: The window at a corner holds four real pixels, but their sum is divided by nine.
# hint: An argument of `avg_pool2d` says whether the padding is counted.

# %% start
import torch
import torch.nn.functional as F


def blur(picture):
    return F.avg_pool2d(picture, 3, stride=1, padding=1)


white = torch.ones(1, 1, 4, 4)
print(blur(white)[0, 0])

# %% solution
# -     return F.avg_pool2d(picture, 3, stride=1, padding=1)
# +     return F.avg_pool2d(picture, 3, stride=1, padding=1, count_include_pad=False)

# %% right: divided by the blur of white
# -     return F.avg_pool2d(picture, 3, stride=1, padding=1)
# +     blurred = F.avg_pool2d(picture, 3, stride=1, padding=1)
# +     return blurred / F.avg_pool2d(torch.ones_like(picture), 3, stride=1, padding=1)

# %% check
_x = torch.arange(20.0).reshape(1, 1, 4, 5).square().requires_grad_()
_y, _old = blur(_x), F.avg_pool2d(_x, 3, stride=1, padding=1)
assert _y.shape == _old.shape, "The blurred picture must have the size of the picture."
assert torch.allclose(_y[..., 1:-1, 1:-1], _old[..., 1:-1, 1:-1]), "The interior was right before, and now it has changed."
assert not torch.allclose(_y, _old), "The frame is still there: print `blur(white)`."
assert torch.allclose(_y[0, 0, 0, 0], _x[0, 0, :2, :2].mean()) and torch.allclose(_y[0, 0, 0, 2], _x[0, 0, :2, 1:4].mean()), "The frame has changed, but at the border the result is not the mean of the real pixels in the window."

# %% wrong: no padding
# -     return F.avg_pool2d(picture, 3, stride=1, padding=1)
# +     return F.avg_pool2d(picture, 3, stride=1)

# %% wrong: a smaller divisor for everyone
# -     return F.avg_pool2d(picture, 3, stride=1, padding=1)
# +     return F.avg_pool2d(picture, 3, stride=1, padding=1, divisor_override=4)

# %% wrong: the border copied from the picture
# -     return F.avg_pool2d(picture, 3, stride=1, padding=1)
# +     blurred = picture.clone()
# +     blurred[..., 1:-1, 1:-1] = F.avg_pool2d(picture, 3, stride=1)
# +     return blurred
