"""Three repairs: a new tensor, a copy, an earlier write."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
smudged = torch.tensor([False, True, False, False])


def new_parameters():
    return torch.tensor(1.0, requires_grad=True), torch.tensor(0.5, requires_grad=True)


# region: repairs
w, b = new_parameters()
p = torch.sigmoid(w * x + b)
p = torch.where(smudged, 0.5, p)  # 1: a new tensor
p.sum().backward()
print(w.grad, b.grad)
#> tensor(0.2790) tensor(0.5573)

w, b = new_parameters()
p = torch.sigmoid(w * x + b).clone()  # 2: a copy of the tensor that sigmoid saves
p[1] = 0.5
p.sum().backward()
print(w.grad, b.grad)
#> tensor(0.2790) tensor(0.5573)

w, b = new_parameters()
score = w * x + b
score[1] = 0.0  # 3: an earlier write, before sigmoid saves its result
p = torch.sigmoid(score)
p.sum().backward()
print(w.grad, b.grad)
#> tensor(0.2790) tensor(0.5573)
# endregion
