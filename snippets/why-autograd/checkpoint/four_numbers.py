"""Four numbers are computed from the same scores."""
# covers: autograd.requires-grad-propagation

import torch

w = torch.tensor([1.0, 3.0, 2.0], requires_grad=True)
scores = w * 2

numbers = {
    "item": torch.tensor(scores[1].item()),
    "argmax": scores.argmax().float(),
    "numpy": torch.from_numpy(scores.detach().numpy()).max(),
    "max": scores.max(),
}
for name, number in numbers.items():
    if number.requires_grad:
        print(name)
#> max
