"""Train one model from thirty seeds, 42 among them."""
# covers: rng.manual-seed

import torch

torch.manual_seed(0)
x = torch.randn(300, 2)
y = ((x * x).sum(1) > 1.4).float()


def accuracy(seed):
    torch.manual_seed(seed)
    w1 = torch.randn(2, 8, requires_grad=True)
    b1 = torch.zeros(8, requires_grad=True)
    w2 = torch.randn(8, 1, requires_grad=True)
    for _ in range(60):
        p = torch.sigmoid(torch.tanh(x[:200] @ w1 + b1) @ w2).squeeze(1)
        loss = ((p - y[:200]) ** 2).mean()
        grads = torch.autograd.grad(loss, [w1, b1, w2])
        with torch.no_grad():
            for w, g in zip([w1, b1, w2], grads):
                w -= 4.0 * g
    p = torch.sigmoid(torch.tanh(x[200:] @ w1 + b1) @ w2).squeeze(1)
    return ((p > 0.5) == (y[200:] > 0.5)).float().mean().item()


scores = {seed: round(accuracy(seed), 2) for seed in range(30, 60)}
print(min(scores.values()), max(scores.values()))
#> 0.68 0.99
print(scores[42], sum(score > scores[42] for score in scores.values()))
#> 0.91 21
