"""The parameters of grad and their defaults, read from the function itself."""
# covers: autograd.grad.signature

import inspect

import torch

for parameter in inspect.signature(torch.autograd.grad).parameters.values():
    print(parameter.name, "=", parameter.default)
#> outputs = <class 'inspect._empty'>
#> inputs = <class 'inspect._empty'>
#> grad_outputs = None
#> retain_graph = None
#> create_graph = False
#> only_inputs = True
#> allow_unused = None
#> is_grads_batched = False
#> materialize_grads = False
