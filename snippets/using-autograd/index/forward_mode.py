"""Forward mode computes the derivative together with the value."""
# covers: autograd.three-apis
# engines: torch -- forward mode is outside the engine's scope

import torch
import torch.autograd.forward_ad as forward_ad

with forward_ad.dual_level():
    w = forward_ad.make_dual(torch.tensor(1.0), torch.tensor(1.0))
    y = (w + 2) * (w + 1)
    print(forward_ad.unpack_dual(y))
#> UnpackedDualTensor(primal=tensor(6.), tangent=tensor(5.))
