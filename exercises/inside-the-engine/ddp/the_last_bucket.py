"""Two processes train five layers. Their first layers drift apart, and nothing complains. Find out why, and mend it.

Keep the buckets: every exchange costs a delay, so two gradients share one, and the first leaves while the pass still runs.
"""
# exercise: repair
# covers: ddp.autograd-hooks
# about: inside-the-engine/ddp.md#who-talks-when
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
assert not _late, f"These layers have only their own gradient: {_late}. Which gradient arrives last, and who sends it?"
_sums = [n for n in range(5) if torch.allclose(_found[n], _own[n] + 100)]
assert not _sums, f"These layers have the sum, and not the mean: {_sums}."
assert all(torch.allclose(_found[n], (_own[n] + 100) / 2) for n in range(5)), (
    "Some gradients aren't the mean. Is any of them exchanged more than once?"
)
assert len(exchanged) < 5, "The gradients are right. But each travels alone now, and pays the delay alone."
assert max(exchanged) < 20, "The gradients are right. But nothing leaves before the pass is over."

# %% right: the hook knows which layer comes last
# -     if len(bucket) == 2:
# +     if len(bucket) == 2 or weight is layers[0].weight:

# %% wrong: every gradient travels alone
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
