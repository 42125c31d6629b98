"""A list of losses keeps saved tensors alive, unless `backward` has run or it holds plain numbers."""
# covers: memory.test-no-grad

import weakref

import torch

model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.Sigmoid(), torch.nn.Linear(32, 10))
weights = {p.data_ptr() for p in model.parameters()}
alive = weakref.WeakSet()


class Held:
    """What a node holds for a tensor that it saved; it goes when the node lets it go."""

    def __init__(self, tensor):
        self.tensor = tensor.detach()  # with its history it would hold the node that holds it
        if tensor.data_ptr() not in weights:
            alive.add(self)


def held(keep, backward):
    """The bytes held after each of six batches, if `keep` says what of each loss goes into the list."""
    losses, sizes = [], []
    for _ in range(6):
        with torch.autograd.graph.saved_tensors_hooks(Held, lambda held: held.tensor):
            loss = model(torch.ones(100, 64)).sum()
        if backward:
            loss.backward()
        losses.append(keep(loss))
        del loss
        sizes.append(sum({one.tensor.data_ptr(): one.tensor.numel() * 4 for one in alive}.values()))
    return sizes


test_loop = held(keep=lambda loss: loss, backward=False)
print(test_loop)
#> [38400, 76800, 115200, 153600, 192000, 230400]
after_backward = held(keep=lambda loss: loss, backward=True)
print(after_backward)
#> [0, 0, 0, 0, 0, 0]
as_numbers = held(keep=lambda loss: loss.item(), backward=False)
print(as_numbers)
#> [0, 0, 0, 0, 0, 0]
