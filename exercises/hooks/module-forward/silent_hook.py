"""While `probe` runs, a hook should halve the output of the first layer, but the result is the same as without the hook.

Repair the model and leave `probe` as it is. Only the result of `probe` should change.
"""
# exercise: repair
# covers: hooks.module-forward-hook
# about: hooks/module-forward.md#when-it-isnt-called
# hint: Add a `print` to the hook. You will see that the hook is never called.
# hint: Hooks run when a module is called. One line of the model calls `forward` directly.

# %% start
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self, x):
        h = self.first.forward(x)
        return self.second(torch.relu(h))


def probe(net, x):
    with net.first.register_forward_hook(lambda module, inputs, output: output / 2):
        return net(x)


net = Net()
x = torch.ones(1, 3)
print(net(x))
print(probe(net, x))

# %% solution
# -         h = self.first.forward(x)
# +         h = self.first(x)

# %% check
_x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])
_h = _x @ net.first.weight.T + net.first.bias
_plain = torch.relu(_h) @ net.second.weight.T + net.second.bias
_halved = torch.relu(_h / 2) @ net.second.weight.T + net.second.bias
_before, _probed, _after = net(_x), probe(net, _x), net(_x)
assert not torch.allclose(_probed, _plain, atol=1e-6), "`probe` returns the same result as the model without a hook, because the hook isn't called."
assert not torch.allclose(_before, _probed, atol=1e-6) or len(net.first._forward_hooks) > 0, "The model now halves the output in every run, even outside `probe`. Only the hook should do this."
assert torch.allclose(_before, _plain, atol=1e-6) and torch.allclose(_after, _plain, atol=1e-6), "The result of the model has changed after a call of `probe`, because the hook is still registered."
assert torch.allclose(_probed, _halved, atol=1e-6), "The result of `probe` has changed, but not in the way in which halving the output of the first layer would change it."

# %% wrong: halved in the model
# -         h = self.first.forward(x)
# +         h = self.first.forward(x) / 2

# %% wrong: a hook on another module
# -     with net.first.register_forward_hook(lambda module, inputs, output: output / 2):
# +     with net.register_forward_hook(lambda module, inputs, output: output / 2):

# %% wrong: called, and the hook left there
# -         h = self.first.forward(x)
# +         h = self.first(x)

# -     with net.first.register_forward_hook(lambda module, inputs, output: output / 2):
# -         return net(x)
# +     net.first.register_forward_hook(lambda module, inputs, output: output / 2)
# +     return net(x)
