"""`get_extra_state` and `set_extra_state` save what is not a tensor."""
# covers: module.state-params-buffers

from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x

    def get_extra_state(self):
        return {"calls": self.calls}

    def set_extra_state(self, state):
        self.calls = state["calls"]


counter = Counter()
counter(1)
counter(1)
print(dict(counter.state_dict()))
#> {'_extra_state': {'calls': 2}}
fresh = Counter()
print(fresh.load_state_dict(counter.state_dict()))
#> <All keys matched successfully>
print(fresh.calls)
#> 2
