"""Some operations have no node, and some have two."""
# covers: graph.backward-naming graph.grad-fn-wrapping

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)

print(a.argmax().grad_fn)
#> None
print((a > 1).grad_fn)
#> None
print(a.contiguous() is a)
#> True

inverse = 2 / a
node = inverse.grad_fn
print(type(node).__name__, type(node.next_functions[0][0]).__name__)
#> MulBackward0 ReciprocalBackward0

loss = torch.nn.functional.cross_entropy(a, torch.tensor(1))
node = loss.grad_fn
print(type(node).__name__, type(node.next_functions[0][0]).__name__)
#> NllLossBackward0 LogSoftmaxBackward0
