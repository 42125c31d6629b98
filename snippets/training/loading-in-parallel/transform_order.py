"""A crop before a change of colors reduces the number of pixels that are changed."""
# covers: tricks.transform-order

import torch

worked_on = []


def jitter(image):
    worked_on.append(image.numel())
    return image * 0.9


def crop(image):
    return image[:, 100:324, 100:324]


torch.manual_seed(0)
image = torch.rand(3, 512, 512)
late, early = crop(jitter(image)), jitter(crop(image))
print(torch.equal(late, early), worked_on)
#> True [786432, 150528]
print(round(worked_on[0] / worked_on[1], 2))
#> 5.22

bars = {"colors first": worked_on[0], "crop first": worked_on[1]}
