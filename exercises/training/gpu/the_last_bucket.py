"""Two processes train five layers. The weights of their first layers become different, and there is no error.

Repair the exchange, so that every layer has the mean of both gradients. Keep the buckets: two gradients are sent together, and the first bucket is sent while the backward pass still runs.
"""
# exercise: repair
# covers: ddp.autograd-hooks
# about: training/gpu.md#who-talks-when
# hint: Print `exchanged` after `backward`. Five layers of four numbers each have 20.
# hint: At the end, one weight is left in `bucket`.

# %% start
import torch

layers = [torch.nn.Linear(2, 2, bias=False) for _ in range(5)]
exchanged = []


def all_reduce(numbers):
    """The sum over both processes; the other one has found 100 everywhere."""
    exchanged.append(len(numbers))
    return numbers + 100


bucket = []


def send():
    mean = all_reduce(torch.cat([weight.grad.flatten() for weight in bucket])) / 2
    for weight, part in zip(bucket, mean.split(4)):
        weight.grad.copy_(part.view(2, 2))
    bucket.clear()


def complete(weight):
    bucket.append(weight)
    if len(bucket) == 2:
        send()


for layer in layers:
    layer.weight.register_post_accumulate_grad_hook(complete)
net = torch.nn.Sequential(*layers)
net(torch.ones(1, 2)).sum().backward()

# %% solution
# - net(torch.ones(1, 2)).sum().backward()
# + net(torch.ones(1, 2)).sum().backward()
# + if bucket:
# +     send()

# %% check
_own = torch.autograd.grad(net(torch.ones(1, 2)).sum(), [layer.weight for layer in layers])
_found = [layer.weight.grad for layer in layers]
_late = [n for n in range(5) if torch.equal(_found[n], _own[n])]
assert not _late, f"These layers still have only the gradient of this process: {_late}. The gradient that arrives last is in a bucket that is never sent."
_sums = [n for n in range(5) if torch.allclose(_found[n], _own[n] + 100)]
assert not _sums, f"These layers have the sum instead of the mean: {_sums}."
assert all(torch.allclose(_found[n], (_own[n] + 100) / 2) for n in range(5)), (
    "Some gradients aren't the mean. Check that each of them is exchanged only once."
)
assert len(exchanged) < 5, "The gradients are right. But each of them is sent alone now, so there are five delays instead of three."
assert max(exchanged) < 20, "The gradients are right. But nothing is sent before the end of the backward pass."

# %% right: the hook knows which layer comes last
# -     if len(bucket) == 2:
# +     if len(bucket) == 2 or weight is layers[0].weight:

# %% wrong: every gradient is sent alone
# -     if len(bucket) == 2:
# +     if len(bucket) == 1:

# %% wrong: one bucket for all
# -     if len(bucket) == 2:
# +     if len(bucket) == 5:

# %% wrong: the rest is sent by hand, without the division
# - net(torch.ones(1, 2)).sum().backward()
# + net(torch.ones(1, 2)).sum().backward()
# + layers[0].weight.grad.add_(100)

# %% wrong: all are sent once more
# - net(torch.ones(1, 2)).sum().backward()
# + net(torch.ones(1, 2)).sum().backward()
# + bucket[:] = [layer.weight for layer in layers]
# + send()
