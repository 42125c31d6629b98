"""The arguments of `Adam` and `AdamW`, and their defaults."""
# covers: train.loss-optimizer train.loop-snippet

import inspect

import torch

adam = inspect.signature(torch.optim.Adam).parameters
adamw = inspect.signature(torch.optim.AdamW).parameters
for name in "lr", "betas", "eps", "weight_decay", "amsgrad":
    print(name, adam[name].default, adamw[name].default)
#> lr 0.001 0.001
#> betas (0.9, 0.999) (0.9, 0.999)
#> eps 1e-08 1e-08
#> weight_decay 0 0.01
#> amsgrad False False

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.0001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False)
print(sorted(set(optimizer.defaults) - {"lr", "betas", "eps", "weight_decay", "amsgrad"}))
#> ['capturable', 'decoupled_weight_decay', 'differentiable', 'foreach', 'fused', 'maximize']
