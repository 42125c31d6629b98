"""The parameters of backward and their defaults, read from the function itself."""
# covers: autograd.backward.signature

import inspect

import torch

for parameter in inspect.signature(torch.autograd.backward).parameters.values():
    print(parameter.name, "=", parameter.default)
#> tensors = <class 'inspect._empty'>
#> grad_tensors = None
#> retain_graph = None
#> create_graph = False
#> grad_variables = None
#> inputs = None

print(list(inspect.signature(torch.Tensor.backward).parameters))
#> ['self', 'gradient', 'retain_graph', 'create_graph', 'inputs']
