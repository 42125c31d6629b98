"""Every operation creates a node, and every node has links to the nodes of its inputs."""

import torch

Q_a = torch.tensor(2.0, requires_grad=True)
Q_b = torch.tensor(6.0, requires_grad=True)
Q = 3 * Q_a**3 - Q_b**2
node = Q.grad_fn
print(type(node).__name__, [type(f).__name__ for f, _ in node.next_functions])
#> SubBackward0 ['MulBackward0', 'PowBackward0']
multiply, power = (f for f, _ in node.next_functions)
print([type(f).__name__ if f else None for f, _ in multiply.next_functions])
#> ['PowBackward0', None]
print([type(f).__name__ for f, _ in power.next_functions])
#> ['AccumulateGrad']
Q.backward()
print(Q_a.grad, Q_b.grad)
#> tensor(36.) tensor(-12.)
