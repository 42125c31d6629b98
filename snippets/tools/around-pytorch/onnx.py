"""`torch.onnx` needs two more packages to write an ONNX file."""
# covers: structure.onnx
# engines: torch -- the subject is torch's exporter

import importlib.util
import inspect
import io

import torch

print(inspect.signature(torch.onnx.export).parameters["dynamo"].default)
#> True
net, x = torch.nn.Linear(2, 1), torch.ones(1, 2)
print(importlib.util.find_spec("onnxscript"))
#> None
torch.onnx.export(net, (x,), io.BytesIO())
#! ModuleNotFoundError: No module named 'onnxscript'
