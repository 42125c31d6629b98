"""Two and `two`."""
# covers: theory.two-phases

import warnings

import torch

# region: sum
print(2 + 2, "<b>")
#> 4 <b>
# endregion
# region: failing
warnings.warn("careful & slow")
#~ UserWarning: careful & slow
torch.ones(2).foo
#! AttributeError: 'Tensor' object has no attribute 'foo'
# endregion
