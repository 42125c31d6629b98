"""An empty list and a tensor that doesn't require grad are refused, but not a tensor outside the graph."""
# covers: autograd.backward.inputs-arg

import torch

x = torch.tensor([2.0], requires_grad=True)
plain = torch.tensor([1.0])
stranger = torch.tensor([1.0], requires_grad=True)

for inputs in ([], [plain]):
    try:
        (x**2).backward(inputs=inputs)
    except RuntimeError as error:
        print(error)
#> `inputs` argument to `backward()` cannot be empty.
#> can't retain_grad on Tensor that has requires_grad=False

# No error here: nothing arrives, so nothing is stored.
(x**2).backward(inputs=[stranger])
print(stranger.grad)
#> None
print(x.grad)
#> None

# grad, asked the same question, does complain.
torch.autograd.grad(x**2, stranger)
#! RuntimeError: The differentiated Tensor at index 0 appears to not have been used in the graph. ...
