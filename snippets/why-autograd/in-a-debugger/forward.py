"""The model of the worked example, and what each tensor knows before backward."""
# covers: graph.example.model graph.example.forward-print graph.example.values graph.data-vs-op

import torch

image = torch.ones(2, 2)
w1, w2, w3 = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0))
stem = image * w1
left, right = stem + w2, stem * w3
both = left * right
loss = both.mean()

print(w1.data, w1.grad, w1.grad_fn)
#> tensor(2.) None None
print(stem.data, type(stem.grad_fn).__name__)
#> tensor([[2., 2.],
#>         [2., 2.]]) MulBackward0
for result in (left, right, both, loss):
    print(result)
#> tensor([[5., 5.],
#>         [5., 5.]], grad_fn=<AddBackward0>)
#> tensor([[8., 8.],
#>         [8., 8.]], grad_fn=<MulBackward0>)
#> tensor([[40., 40.],
#>         [40., 40.]], grad_fn=<MulBackward0>)
#> tensor(40., grad_fn=<MeanBackward0>)
