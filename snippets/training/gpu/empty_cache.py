"""Without a GPU, `empty_cache` does nothing and the counters are zero."""
# covers: gpu.empty-cache gpu.torch-cuda

import torch

print(torch.cuda.empty_cache())
#> None
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
#> 0 0
with torch.cuda.device(-1):
    print(torch.ones(1).device)
#> cpu
