"""What `.data`, `detach()` and `clone()` share with the original."""
# covers: autograd.detach

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for name, other in [("data", w.data), ("detach", w.detach()), ("clone", w.clone())]:
    before = w._version
    same_memory = other.data_ptr() == w.data_ptr()
    with torch.no_grad():
        other.add_(1)
    print(f"{name:8}memory {same_memory}, counted {w._version > before}, requires_grad {other.requires_grad}")
#> data    memory True, counted False, requires_grad False
#> detach  memory True, counted True, requires_grad False
#> clone   memory False, counted False, requires_grad True
