"""One step with the gradients of two mini-batches equals a step with one batch of twice the size."""
# covers: memory.grad-accum.formula memory.grad-accum.snippet

import torch

torch.manual_seed(0)
x, y = torch.randn(8, 3, dtype=torch.float64), torch.randn(8, 1, dtype=torch.float64)
steps = 2


def train(batches, divide):
    torch.manual_seed(1)
    model = torch.nn.Linear(3, 1).double()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (bx, by) in enumerate(batches):
        loss = torch.nn.functional.mse_loss(model(bx), by)
        if divide:
            loss = loss / len(batches)
        loss.backward()
        if (i + 1) % len(batches) == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model.weight


whole = train([(x, y)], divide=False)
halves = list(zip(x.chunk(steps), y.chunk(steps)))
print(torch.allclose(whole, train(halves, divide=True)))
#> True
print(torch.allclose(whole, train(halves, divide=False)))
#> False
