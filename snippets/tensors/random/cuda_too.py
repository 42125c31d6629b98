"""`torch.manual_seed` also seeds the CUDA devices."""
# covers: rng.cuda-separate
# engines: torch -- it watches torch.cuda, which the NumPy engine does not have

import torch

torch.cuda.manual_seed_all = lambda seed: print("CUDA devices seeded with", seed)
_ = torch.manual_seed(42)
#> CUDA devices seeded with 42
