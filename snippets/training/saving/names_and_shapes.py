"""Names that differ are refused unless you allow them; shapes that differ are refused in any case."""
# covers: save.load

from torch import nn

state = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1)).state_dict()

smaller = nn.Sequential(nn.Linear(2, 2))
try:
    smaller.load_state_dict(state)
except RuntimeError as error:
    print(*str(error).split())
#> Error(s) in loading state_dict for Sequential: Unexpected key(s) in state_dict: "1.weight", "1.bias".
print(smaller.load_state_dict(state, strict=False))
#> _IncompatibleKeys(missing_keys=[], unexpected_keys=['1.weight', '1.bias'])

wider = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
wider.load_state_dict(state, strict=False)
#! RuntimeError: Error(s) in loading state_dict for Sequential: ...
