"""Three repairs: a new tensor, a copy, another moment."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
smudged = torch.tensor([False, True, False, False])


def weights():
    return torch.tensor(1.0, requires_grad=True), torch.tensor(0.5, requires_grad=True)


# region: new
w, b = weights()
p = torch.sigmoid(w * x + b)
p = torch.where(smudged, 0.5, p)  # a new tensor
p.sum().backward()
print(w.grad, b.grad)
#> tensor(0.2790) tensor(0.5573)
# endregion

# region: clone
w, b = weights()
p = torch.sigmoid(w * x + b).clone()  # sigmoid keeps its own result
p[1] = 0.5
p.sum().backward()
print(w.grad, b.grad)
#> tensor(0.2790) tensor(0.5573)
# endregion

# region: moment
w, b = weights()
score = w * x + b
score[1] = 0.0  # before sigmoid has saved anything
p = torch.sigmoid(score)
p.sum().backward()
print(w.grad, b.grad)
#> tensor(0.2790) tensor(0.5573)
# endregion
