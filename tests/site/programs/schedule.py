import torch
from torch.optim.lr_scheduler import LambdaLR, StepLR
import matplotlib.pyplot as plt

for scheduler_of in (lambda o: StepLR(o, 10, 0.5), lambda o: LambdaLR(o, lambda e: 1 / (1 + e))):
    opt = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
    scheduler = scheduler_of(opt)
    rates = []
    for epoch in range(30):
        opt.step()
        rates.append(scheduler.get_last_lr()[0])
        scheduler.step()
    print(type(scheduler).__name__, [round(r, 4) for r in rates[::10]])
    plt.plot(rates, label=type(scheduler).__name__)
plt.xlabel("epoch"); plt.ylabel("learning rate"); plt.legend(); plt.show()
