"""Hooks on the leaves fill a bucket, and a full bucket is exchanged while the backward pass goes on."""
# covers: ddp.autograd-hooks

import torch

layers = [torch.nn.Linear(4, 4, bias=False) for _ in range(6)]
names = {layer.weight: f"layer {number}" for number, layer in enumerate(layers)}
per_layer, per_bucket = 2, 3  # milliseconds for a gradient, and for an exchange
now = network_free = 0
bars, bucket = {}, []


def complete(weight):
    global now, network_free
    bars[names[weight]] = {"not yet": now, "at work": per_layer}
    now += per_layer
    bucket.append(names[weight])
    if len(bucket) == 2:
        begins = max(now, network_free)
        bars["exchange of " + ", ".join(bucket)] = {"not yet": begins, "at work": per_bucket}
        network_free = begins + per_bucket
        bucket.clear()


for weight in names:
    weight.register_post_accumulate_grad_hook(complete)
torch.nn.Sequential(*layers)(torch.ones(1, 4)).sum().backward()
for name, bar in bars.items():
    print(name, "from", bar["not yet"], "to", sum(bar.values()))
#> layer 5 from 0 to 2
#> layer 4 from 2 to 4
#> exchange of layer 5, layer 4 from 4 to 7
#> layer 3 from 4 to 6
#> layer 2 from 6 to 8
#> exchange of layer 3, layer 2 from 8 to 11
#> layer 1 from 8 to 10
#> layer 0 from 10 to 12
#> exchange of layer 1, layer 0 from 12 to 15
