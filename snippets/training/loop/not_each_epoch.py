"""The three calls belong to each batch, not to each epoch."""
# covers: train.epoch-steps

import torch
from torch.utils.data import DataLoader

data = torch.arange(1.0, 7.0)


def learn_mean(epochs, after_each_batch):
    w = torch.tensor(0.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.02)
    for epoch in range(epochs):
        for x in DataLoader(data, batch_size=2):
            optimizer.zero_grad()
            loss = ((w - x) ** 2).mean()
            if after_each_batch:
                loss.backward()
                optimizer.step()
        if not after_each_batch:
            loss.backward()
            optimizer.step()
    return round(w.item(), 2)


print(data.mean())
#> tensor(3.5000)
print(learn_mean(100, after_each_batch=True))
#> 3.55
print(learn_mean(100, after_each_batch=False))
#> 5.41
