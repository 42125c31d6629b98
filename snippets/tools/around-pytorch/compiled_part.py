"""`torch._C` is compiled, and the folder of the same name holds signatures."""
# covers: structure.C
# engines: torch -- the subject is torch's compiled part

import inspect
from pathlib import Path

import torch

print(Path(torch._C.__file__).suffix)
#> .so
folder = Path(torch.__file__).parent / "_C"
print({file.suffix for file in folder.iterdir() if file.is_file()})
#> {'.pyi'}
stubs = (folder / "_VariableFunctions.pyi").read_text()
print(next(line for line in stubs.splitlines() if line.startswith("def relu(")))
#> def relu(input: Tensor) -> Tensor: ...

print(inspect.getsource(torch.nn.functional.relu).splitlines()[0])
#> def relu(input: Tensor, inplace: bool = False) -> Tensor:
inspect.getsource(torch.relu)
#! TypeError: module, class, method, function, traceback, frame, or code object was expected, got builtin_function_or_method
