"""To find the positions of a view's elements, make the same view of the numbers 0, 1, 2, and so on."""

import torch

h = torch.tensor([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]])
numbers = torch.arange(6).reshape(2, 3)
window, places = h.T[1:], numbers.T[1:]
print(window.tolist())
#> [[2.5, 5.5], [3.5, 6.5]]
print(places.tolist())
#> [[1, 4], [2, 5]]
print(torch.equal(h.reshape(-1)[places], window))
#> True
