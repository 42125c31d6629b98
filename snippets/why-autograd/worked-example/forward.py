"""The model of the worked example, and what each tensor knows before backward."""
# covers: graph.example.model graph.example.forward-print graph.example.values graph.data-vs-op

import torch

input = torch.ones(2, 2)
w1 = torch.tensor(2.0, requires_grad=True)
w2 = torch.tensor(3.0, requires_grad=True)
w3 = torch.tensor(4.0, requires_grad=True)

l1 = input * w1
l2 = l1 + w2
l3 = l1 * w3
l4 = l2 * l3
loss = l4.mean()

print(w1.data, w1.grad, w1.grad_fn)
#> tensor(2.) None None
print(l1.data, type(l1.grad_fn).__name__)
#> tensor([[2., 2.],
#>         [2., 2.]]) MulBackward0
print(l2)
#> tensor([[5., 5.],
#>         [5., 5.]], grad_fn=<AddBackward0>)
print(l3)
#> tensor([[8., 8.],
#>         [8., 8.]], grad_fn=<MulBackward0>)
print(l4)
#> tensor([[40., 40.],
#>         [40., 40.]], grad_fn=<MulBackward0>)
print(loss)
#> tensor(40., grad_fn=<MeanBackward0>)
